import { useState } from 'react'
import { suspensionRoutes } from '../../../contract/routes/identity/suspensions.ts'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type Prove, useSuspend } from './api.ts'

type SuspensionDialogProps = {
  /** Whom it is about; null while nothing is asked. */
  person: { _id: string; username: string; suspended: boolean } | null
  onClose: () => void
  prove: Prove
}

/** Suspends an account, or reinstates it, for a reason that the audit log keeps. */
export function SuspensionDialog({ person, onClose, prove }: SuspensionDialogProps) {
  const suspend = useSuspend(prove)
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
      title={suspended ? `Reinstate ${username}?` : `Suspend ${username}?`}
      confirmLabel={suspended ? 'Reinstate account' : 'Suspend account'}
      destructive={!suspended}
      onConfirm={async (reason) => {
        await suspend.mutateAsync({ userId: _id, reason, suspended: !suspended })
        toast.success(suspended ? `${username} is reinstated.` : `${username} is suspended.`)
      }}
    >
      {suspended
        ? 'They can log in again, and everything of theirs is shown and sold as before.'
        : 'They’re logged out and can’t log in. Their profile and media are hidden and can’t be bought. Buyers keep what they bought.'}
    </ReasonDialog>
  )
}
