import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Media, useDeleteMedia } from '../api.ts'

type DeleteMediaDialogProps = {
  /** The item in question; null while nothing is asked. */
  media: Media | null
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before an item leaves library and sale for good. */
export function DeleteMediaDialog({ media, onClose, onDeleted }: DeleteMediaDialogProps) {
  const remove = useDeleteMedia()
  // The words stay while the dialog closes.
  const [last, setLast] = useState(media)
  if (media && media !== last) setLast(media)
  return (
    <ConfirmDialog
      opened={media !== null}
      onClose={onClose}
      title={`Delete ${last?.title ? `“${last.title}”` : `this ${last?.type === 'video' ? 'video' : 'picture'}`}?`}
      confirmLabel="Delete"
      destructive
      onConfirm={async () => {
        if (!media) return
        await remove.mutateAsync(media._id)
        toast.success('Deleted')
        onDeleted?.()
      }}
    >
      It leaves your profile, your store and every subscription and bundle. People who bought it keep it. This
      can’t be undone.
    </ConfirmDialog>
  )
}
