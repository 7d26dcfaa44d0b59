import { useState } from 'react'
import { suspensionRoutes } from '../../../contract/routes/identity/suspensions.ts'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { toast } from '../../ui/toast.ts'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { useSuspend } from './people/api.ts'
import { suspensionTexts as texts } from './people/texts.ts'

/** The person whom an operator may suspend or reinstate. */
export type Suspendable = { _id: string; username: string; suspended: boolean }

type SuspensionDialogProps = {
  /** Null while nothing is asked. */
  person: Suspendable | null
  onClose: () => void
}

/** Suspends an account, or reinstates it, for a reason that the audit log keeps; the operator confirms that it's them. */
export default function SuspensionDialog(props: SuspensionDialogProps) {
  return (
    <ReauthenticationProvider>
      <Asking {...props} />
    </ReauthenticationProvider>
  )
}

function Asking({ person, onClose }: SuspensionDialogProps) {
  const suspend = useSuspend(useReauthentication())
  // The words stay while the dialog closes.
  const [last, setLast] = useState(person)
  if (person && person !== last) setLast(person)
  if (!last) return null
  const { _id, username, suspended } = last
  return (
    <ReasonDialog
      route={suspended ? suspensionRoutes.reinstatePerson : suspensionRoutes.suspendPerson}
      opened={person !== null}
      onClose={onClose}
      title={suspended ? texts.reinstateTitle(username) : texts.suspendTitle(username)}
      confirmLabel={suspended ? texts.reinstateAccount : texts.suspendAccount}
      destructive={!suspended}
      onConfirm={async (reason) => {
        await suspend.mutateAsync({ userId: _id, reason, suspended: !suspended })
        toast.success(suspended ? texts.reinstated(username) : texts.suspended(username))
      }}
    >
      {suspended ? texts.reinstateEffect : texts.suspendEffect}
    </ReasonDialog>
  )
}
