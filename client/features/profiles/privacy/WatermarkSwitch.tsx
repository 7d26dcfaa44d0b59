import { useSetWatermark, watermarkQuery } from './api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'
import { privacyTexts } from './texts.ts'

/** Whether the viewer's username is shown on what a creator sells. */
export function WatermarkSwitch() {
  return (
    <SettingSwitch
      label={privacyTexts.watermark}
      description={privacyTexts.watermarkHint}
      query={watermarkQuery}
      set={useSetWatermark()}
      done={{ on: privacyTexts.watermarkOn, off: privacyTexts.watermarkOff }}
    />
  )
}
