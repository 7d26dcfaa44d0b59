import { useCurrentUser } from '../../../lib/session.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { PayoutBalance } from '../payouts/PayoutBalance.tsx'
import { Earnings } from './Earnings.tsx'

/** What a person earned or paid; a payout may ask for a proof that it's them (docs/product.md, Pages). */
export function Component() {
  return (
    <ReauthenticationProvider>
      <EarningsWithPayouts />
    </ReauthenticationProvider>
  )
}

function EarningsWithPayouts() {
  const { isCreator } = useCurrentUser()
  return <Earnings balance={<PayoutBalance always={isCreator} reauthenticate={useReauthentication()} />} />
}
