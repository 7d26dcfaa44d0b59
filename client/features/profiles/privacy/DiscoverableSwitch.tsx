import { discoverableQuery, useSetDiscoverable } from '../api.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

/** Whether everybody finds somebody who creates nothing. */
export function DiscoverableSwitch() {
  return (
    <SettingSwitch
      label="Let everybody find me"
      description="While this is off, only creators you follow or bought from find you in search and see your profile."
      query={discoverableQuery}
      set={useSetDiscoverable()}
      done={{ on: 'Everybody can find you now.', off: 'Only your creators find you now.' }}
    />
  )
}
