import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../features/identity/reauthentication/ReauthenticationDialog.tsx'
import { SuspensionDialog } from '../../features/profiles/SuspensionDialog.tsx'

export type Suspendable = { _id: string; username: string; suspended: boolean }

type SuspendPersonProps = { person: Suspendable | null; onClose: () => void }

/** Asks an operator before an account is suspended or reinstated, and for a proof that it’s them. */
export default function SuspendPerson(props: SuspendPersonProps) {
  return (
    <ReauthenticationProvider>
      <Asking {...props} />
    </ReauthenticationProvider>
  )
}

function Asking(props: SuspendPersonProps) {
  return <SuspensionDialog {...props} prove={useReauthentication()} />
}
