import { IconArrowBarToUp, IconCoin, IconEye, IconTag, IconTrash } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { MAX_MEDIA_PER_BULK_CALL } from '../../../../../contract/constants.ts'
import { errorMessage } from '../../../../lib/api.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { toast } from '../../../../ui/toast.ts'
import { type SelectedMedia, useMoveToTop } from '../api.ts'
import { texts } from '../texts.ts'
import { itemCount } from '../words.ts'
import type { BulkProps } from './BulkForm.tsx'
import { SelectedCount } from './SelectedCount.tsx'
import styles from './SelectionBar.module.css'

// Each form comes when it is opened.
const BulkTags = lazyPart<BulkProps>(() => import('./BulkTags.tsx').then((module) => module.BulkTags))
const BulkPrice = lazyPart<BulkProps>(() => import('./BulkPrice.tsx').then((module) => module.BulkPrice))
const BulkVisibility = lazyPart<BulkProps>(() =>
  import('./BulkVisibility.tsx').then((module) => module.BulkVisibility),
)

const ACTIONS = [
  { action: 'tags', label: texts.tags, Icon: IconTag, Inside: BulkTags },
  { action: 'price', label: texts.price, Icon: IconCoin, Inside: BulkPrice },
  { action: 'visibility', label: texts.visibility, Icon: IconEye, Inside: BulkVisibility },
] as const

/** A way to put the selected items into something. `onDone` takes what was done, in a few words; `onClose` leaves it. */
export type Collecting = {
  label: string
  Icon: typeof IconTag
  Inside: ComponentType<{
    items: readonly SelectedMedia[]
    onDone: (told: string) => void
    onClose: () => void
  }>
}

type SelectionBarProps = {
  selected: readonly SelectedMedia[]
  /** How many of the selected are not among those shown. */
  hidden: number
  /** The way to all that match. */
  all: { label: string; disabled: boolean; loading: boolean; onSelect: () => void }
  /** More that can be done with them. */
  collecting: readonly Collecting[]
  /** Tags, price and visibility can be changed as well. */
  sells: boolean
  onClear: () => void
  onChanged: (fresh: readonly SelectedMedia[]) => void
  onDelete: () => void
}

/** The actions for the selected items, at the lower edge of the window. */
export function SelectionBar({
  selected,
  hidden,
  sells,
  all,
  collecting,
  onClear,
  onChanged,
  onDelete,
}: SelectionBarProps) {
  const [open, setOpen] = useState<(typeof ACTIONS)[number] | Collecting | null>(null)
  const [shown, setShown] = useState(open)
  if (open && open !== shown) setShown(open)
  const [done, setDone] = useState('')
  const moveToTop = useMoveToTop()
  const toTop = () => {
    setDone('')
    moveToTop.mutate(
      selected.map(({ _id }) => _id),
      {
        onSuccess: () => setDone(texts.movedToTop(selected.length)),
        onError: (error) => toast.failure(texts.topFailed(errorMessage(error))),
      },
    )
  }
  const none = selected.length === 0
  const offered = [...(sells ? ACTIONS : []), ...collecting]
  const finish = (told: string) => {
    setDone(told)
    setOpen(null)
  }
  return (
    <section className={styles.bar} aria-label={texts.selectedItems}>
      <SelectedCount count={selected.length} hidden={hidden} done={done} all={all} onClear={onClear} />
      <div className={styles.actions}>
        {offered.map((one) => (
          <Button
            key={one.label}
            variant="default"
            leftSection={<one.Icon size={18} stroke={1.75} aria-hidden />}
            disabled={none}
            onClick={() => {
              setDone('')
              setOpen(one)
            }}
          >
            {one.label}
          </Button>
        ))}
        <Button
          variant="default"
          leftSection={<IconArrowBarToUp size={18} stroke={1.75} aria-hidden />}
          disabled={none || selected.length > MAX_MEDIA_PER_BULK_CALL}
          loading={moveToTop.isPending}
          onClick={toTop}
        >
          {texts.toTop}
        </Button>
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
          disabled={none}
          onClick={onDelete}
        >
          {texts.delete}
        </Button>
      </div>
      <Dialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={shown ? dialogTitle(shown, selected.length) : ''}
      >
        {shown && 'action' in shown && (
          <shown.Inside
            key={shown.action}
            items={selected}
            onChanged={onChanged}
            onDone={() => finish(texts.updated(selected.length))}
          />
        )}
        {shown && !('action' in shown) && (
          <shown.Inside key={shown.label} items={selected} onDone={finish} onClose={() => setOpen(null)} />
        )}
      </Dialog>
    </section>
  )
}

function dialogTitle(shown: { label: string }, count: number): string {
  const { change, add } = texts.bulkTitle
  return ('action' in shown ? change : add)(shown.label, itemCount(count))
}
