import { useSetWatermark, watermarkQuery } from '../api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

/** Whether what a creator sells carries the name of whoever looks at it. */
export function WatermarkSwitch() {
  return (
    <SettingSwitch
      label="Put the fan’s name on it"
      description="Pictures and videos that are not free carry the @username of whoever looks at them, so that a copy tells where it came from. You see your own without it."
      query={watermarkQuery}
      set={useSetWatermark()}
      done={{ on: 'Names are shown from now on.', off: 'No names are shown any more.' }}
    />
  )
}
