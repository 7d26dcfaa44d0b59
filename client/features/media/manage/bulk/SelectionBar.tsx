import { IconArrowBarToUp, IconCoin, IconEye, IconTag, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { errorMessage } from '../../../../lib/api.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { toast } from '../../../../ui/toast.ts'
import type { Media } from '../../api.ts'
import { useMoveToTop } from '../api.ts'
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
  { action: 'tags', label: 'Tags', Icon: IconTag, Inside: BulkTags },
  { action: 'price', label: 'Price', Icon: IconCoin, Inside: BulkPrice },
  { action: 'visibility', label: 'Visibility', Icon: IconEye, Inside: BulkVisibility },
] as const

type SelectionBarProps = {
  selected: readonly Media[]
  /** How many of the selected are not among those shown. */
  hidden: number
  /** How many are loaded. */
  loaded: number
  /** Tags, price and visibility can be changed as well. */
  sells: boolean
  onSelectAll: () => void
  onClear: () => void
  onChanged: (fresh: readonly Media[]) => void
  onDelete: () => void
}

/** What can be done with the selected items, at the lower edge of the window. */
export function SelectionBar({
  selected,
  hidden,
  loaded,
  sells,
  onSelectAll,
  onClear,
  onChanged,
  onDelete,
}: SelectionBarProps) {
  const [open, setOpen] = useState<(typeof ACTIONS)[number] | null>(null)
  const [shown, setShown] = useState(open)
  if (open && open !== shown) setShown(open)
  const [done, setDone] = useState('')
  const moveToTop = useMoveToTop()
  const toTop = () => {
    setDone('')
    moveToTop.mutate(
      selected.map(({ _id }) => _id),
      {
        onSuccess: () => setDone(`${itemCount(selected.length)} moved to the top`),
        onError: (error) => toast.failure(`Not all could be moved to the top. ${errorMessage(error)}`),
      },
    )
  }
  const none = selected.length === 0
  const Inside = shown?.Inside
  return (
    <section className={styles.bar} aria-label="Selected items">
      <SelectedCount
        count={selected.length}
        hidden={hidden}
        loaded={loaded}
        done={done}
        onSelectAll={onSelectAll}
        onClear={onClear}
      />
      <div className={styles.actions}>
        {sells &&
          ACTIONS.map((one) => (
            <Button
              key={one.action}
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
          disabled={none}
          loading={moveToTop.isPending}
          onClick={toTop}
        >
          To the top
        </Button>
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
          disabled={none}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
      <Dialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={`${shown?.label ?? ''} of ${itemCount(selected.length)}`}
      >
        {Inside && (
          <Inside
            key={shown.action}
            items={selected}
            onDone={(fresh) => {
              onChanged(fresh)
              setDone(`${itemCount(fresh.length)} updated`)
              setOpen(null)
            }}
          />
        )}
      </Dialog>
    </section>
  )
}
