import { OperatorPayouts } from '../../features/commerce/payouts/OperatorPayouts.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../features/identity/reauthentication/ReauthenticationDialog.tsx'

/** The operator's page of payouts, where each decision may ask for a proof that it's them. */
export function Component() {
  return (
    <ReauthenticationProvider>
      <Payouts />
    </ReauthenticationProvider>
  )
}

function Payouts() {
  return <OperatorPayouts prove={useReauthentication()} />
}
