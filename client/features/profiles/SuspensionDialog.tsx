import { useState } from 'react'
import { suspensionRoutes } from '../../../contract/routes/identity/suspensions.ts'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type Prove, useSuspend } from './api.ts'
import { suspensionTexts as texts } from './people/texts.ts'

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
