import { useSetWatermark, watermarkQuery } from './api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'
import { privacyTexts } from './texts.ts'

/** Whether what a creator sells carries the name of whoever looks at it. */
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
