import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { OperatorPayouts } from './OperatorPayouts.tsx'

/** The operator's page of payouts, where each decision may ask for a proof that it's them. */
export function Component() {
  return (
    <ReauthenticationProvider>
      <Payouts />
    </ReauthenticationProvider>
  )
}

function Payouts() {
  return <OperatorPayouts reauthenticate={useReauthentication()} />
}
