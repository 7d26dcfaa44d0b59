import { discoverableQuery, useSetDiscoverable } from './api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'
import { privacyTexts as texts } from './texts.ts'

/** Whether everybody finds somebody who creates nothing. */
export function DiscoverableSwitch() {
  return (
    <SettingSwitch
      label={texts.findMe}
      description={texts.findMeHint}
      query={discoverableQuery}
      set={useSetDiscoverable()}
      done={{ on: texts.found, off: texts.hidden }}
    />
  )
}
