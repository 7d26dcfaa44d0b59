import { useSetWatermark, watermarkQuery } from '../api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

/** Whether what a creator sells carries the name of whoever looks at it. */
export function WatermarkSwitch() {
  return (
    <SettingSwitch
      label="Put the fan’s name on it"
      description="Photos and videos that aren’t free show the viewer’s @username, small and faint in one corner, so that a copy tells where it came from. You see your own without it."
      query={watermarkQuery}
      set={useSetWatermark()}
      done={{ on: 'Names are shown now.', off: 'Names are no longer shown.' }}
    />
  )
}
