import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { Media } from '../api.ts'
import { deletionEffectsQuery } from '../manage/api.ts'
import { quotedName } from '../manage/words.ts'
import styles from './ReplaceDialog.module.css'
import { editTexts } from './texts.ts'

type ReplaceDialogProps = {
  media: Media
  /** The other file; null while nothing is asked. */
  file: File | null
  onClose: () => void
  onConfirm: (file: File) => void
}

/** Asks before another file takes the place of an item’s, with how many bought the item: only they keep the old file. */
export function ReplaceDialog({ media, file, onClose, onConfirm }: ReplaceDialogProps) {
  const effects = useQuery({ ...deletionEffectsQuery([media._id]), enabled: file !== null })
  // The words stay while the dialog closes.
  const [last, setLast] = useState(file)
  if (file !== null && file !== last) setLast(file)
  return (
    <ConfirmDialog
      opened={file !== null}
      onClose={onClose}
      title={editTexts.replace.question(quotedName(media))}
      confirmLabel={editTexts.replace.confirm}
      destructive
      onConfirm={async () => file && onConfirm(file)}
    >
      <div className={styles.text} aria-live="polite">
        <p>{editTexts.replace.effect(last?.name ?? '')}</p>
        {effects.isPending && <SkeletonLines lines={1} />}
        {effects.isError && <p>{editTexts.replace.buyersUnknown(errorMessage(effects.error))}</p>}
        {effects.data && <p>{editTexts.buyers(effects.data.buyers)}</p>}
      </div>
    </ConfirmDialog>
  )
}
