import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useDeleteMessage } from '../api.ts'
import { deletingTexts as texts } from '../occasional-texts.ts'

type DeleteDialogProps = { messageId: string; recipientId: string; opened: boolean; onClose: () => void }

/** Deletes an own message for both people, once that is confirmed. */
export default function DeleteDialog({ messageId, recipientId, ...dialog }: DeleteDialogProps) {
  const remove = useDeleteMessage(recipientId)
  return (
    <ConfirmDialog
      {...dialog}
      title={texts.title}
      confirmLabel={texts.confirm}
      destructive
      onConfirm={() => remove.mutateAsync(messageId)}
    >
      <p>{texts.effect}</p>
    </ConfirmDialog>
  )
}
