import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { errorMessage } from '../../../lib/api.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  type DeletionEffects,
  deletionEffectsQuery,
  type SelectedMedia,
  useDeleteMedia,
  useRestoreMedia,
} from './api.ts'
import styles from './DeleteMediaDialog.module.css'
import { texts } from './texts.ts'
import { itemCount, quotedName } from './words.ts'

type DeleteMediaDialogProps = {
  /** The items in question; null or none while nothing is asked. */
  items: readonly SelectedMedia[] | null
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before items leave library and sale, with what that touches; afterward it can be undone from a message. */
export function DeleteMediaDialog({ items, onClose, onDeleted }: DeleteMediaDialogProps) {
  const remove = useDeleteMedia()
  const restore = useRestoreMedia()
  const asking = items !== null && items.length > 0
  // The words stay while the dialog closes.
  const [last, setLast] = useState(items ?? [])
  if (asking && items !== last) setLast(items)
  const [first] = last
  const one = last.length === 1 && first ? first : null
  const what = one ? quotedName(one) : itemCount(last.length)
  const { _id: myId } = useCurrentUser()
  const own = first === undefined || first.creatorId === myId

  const undo = (mediaIds: string[]) => {
    restore.mutateAsync(mediaIds).then(
      () => toast.success(texts.restored),
      (error) => toast.failure(texts.restoreFailed(errorMessage(error))),
    )
  }
  const confirm = async (reason: string | null) => {
    const [firstId, ...others] = last.map(({ _id }) => _id)
    if (!firstId) return
    await remove.mutateAsync({ mediaIds: [firstId, ...others], reason })
    const told = texts.deletion.done(what)
    if (own) toast.offer(told, { label: texts.deletion.undo, onAct: () => undo([firstId, ...others]) })
    else toast.success(told)
    onDeleted?.()
  }
  const dialog = {
    opened: asking,
    onClose,
    title: texts.deletion.question(what),
    confirmLabel: texts.deletion.confirm,
    destructive: true,
  }
  const effects = (
    <Effects mediaIds={last.map(({ _id }) => _id)} single={one !== null} own={own} asking={asking} />
  )
  if (!own) {
    return (
      <ReasonDialog {...dialog} route={libraryRoutes.deleteMedia} onConfirm={confirm}>
        {effects}
      </ReasonDialog>
    )
  }
  return (
    <ConfirmDialog {...dialog} onConfirm={() => confirm(null)}>
      {effects}
    </ConfirmDialog>
  )
}

type EffectsProps = { mediaIds: string[]; single: boolean; own: boolean; asking: boolean }

function Effects({ mediaIds, single, own, asking }: EffectsProps) {
  const effects = useQuery({ ...deletionEffectsQuery(mediaIds), enabled: asking && mediaIds.length > 0 })
  return (
    <div className={styles.effects} aria-live="polite">
      <p>{own ? texts.deletion.ownEffect(single) : texts.deletion.otherEffect}</p>
      {effects.isPending && <SkeletonLines lines={2} />}
      {effects.isError && <p>{texts.deletion.effectsFailed(single, errorMessage(effects.error))}</p>}
      {effects.data && <EffectList effects={effects.data} single={single} />}
    </div>
  )
}

function EffectList({ effects, single }: { effects: DeletionEffects; single: boolean }) {
  const { buyers, bundles, subscriptions } = effects
  if (buyers + bundles.length + subscriptions.length === 0) return <p>{texts.deletion.noEffects(single)}</p>
  return (
    <ul className={styles.list}>
      {buyers > 0 && <li>{texts.deletion.buyers(buyers, single)}</li>}
      {bundles.length > 0 && <li>{texts.deletion.bundles(bundles.length, titles(bundles))}</li>}
      {subscriptions.length > 0 && (
        <li>{texts.deletion.subscriptions(subscriptions.length, single, titles(subscriptions))}</li>
      )}
    </ul>
  )
}

function titles(sold: readonly { title: string }[]): string {
  return sold.map(({ title }) => `“${title}”`).join(', ')
}
