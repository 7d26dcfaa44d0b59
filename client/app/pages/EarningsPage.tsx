import { Earnings } from '../../features/commerce/earnings/Earnings.tsx'
import { PayoutBalance } from '../../features/commerce/payouts/PayoutBalance.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../features/identity/reauthentication/ReauthenticationDialog.tsx'
import { useCurrentUser } from '../../lib/session.tsx'

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
  return <Earnings balance={<PayoutBalance always={isCreator} prove={useReauthentication()} />} />
}
