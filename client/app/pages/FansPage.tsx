import { FansPage } from '../../features/commerce/subscribers/FansPage.tsx'
import { FanTable } from '../../features/messaging/fan-lists/FanTable.tsx'

/** A creator's subscribers with what they can be given, and all fans with the creator's lists and notes. */
export function Component() {
  return <FansPage AllFans={FanTable} />
}
