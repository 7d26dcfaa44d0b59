import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useBlock } from '../../profiles/parts/people/api.ts'
import type { Participant } from '../cache/timeline.ts'
import { blockingTexts as texts } from '../occasional-texts.ts'

type BlockDialogProps = { person: Participant; opened: boolean; onClose: () => void }

/** Blocks the other person of a conversation, once that is confirmed. */
export default function BlockDialog({ person, ...dialog }: BlockDialogProps) {
  const { mutateAsync } = useBlock()
  return (
    <ConfirmDialog
      {...dialog}
      title={texts.title(person.username)}
      confirmLabel={texts.confirm}
      destructive
      onConfirm={async () => {
        await mutateAsync({ blockedId: person._id, blocked: true })
        toast.success(texts.done(person.username))
      }}
    >
      <p>{texts.effect}</p>
    </ConfirmDialog>
  )
}
