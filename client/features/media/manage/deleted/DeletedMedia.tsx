import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { errorMessage } from '../../../../lib/api.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { GrowingList } from '../../../../ui/list/GrowingList.tsx'
import { useList } from '../../../../ui/list/use-list.ts'
import { toast } from '../../../../ui/toast.ts'
import { type DeletedMedia as Deleted, deletedMediaQuery, useRestoreMedia } from '../api.ts'
import { LibraryGrid, LibraryGridSkeleton } from '../LibraryGrid.tsx'
import styles from '../OwnLibrary.module.css'
import { NOTHING_SELECTED, type Selection, selectAll, toggle } from '../selection.ts'
import { texts } from '../texts.ts'
import { itemCount, quotedName } from '../words.ts'
import { DeletedCard } from './DeletedCard.tsx'
import { RestoreBar } from './RestoreBar.tsx'

/** Items deleted within the last days, to be restored one by one or many at once. */
export function DeletedMedia() {
  const list = useList(deletedMediaQuery)
  const { items } = list
  const restore = useRestoreMedia()
  const [selection, setSelection] = useState<Selection<Deleted> | null>(null)
  const place = useRef<HTMLDivElement>(null)

  const bringBack = (wanted: readonly Deleted[]) => {
    const [first] = wanted
    if (!first || restore.isPending) return
    restore.mutate(
      wanted.map(({ _id }) => _id),
      {
        onSuccess: () => {
          const single = wanted.length === 1
          toast.success(texts.deleted.back(single ? quotedName(first) : itemCount(wanted.length), single))
          setSelection(null)
          // The button that was pressed is gone with its card.
          place.current?.focus({ preventScroll: true })
        },
        onError: (error) => toast.failure(texts.deleted.failed(errorMessage(error))),
      },
    )
  }
  return (
    <div className={styles.manage}>
      <div className={styles.order}>
        <p className={styles.hint}>{items.length > 0 && texts.deleted.hint}</p>
        {items.length > 0 && (
          <Button
            variant="default"
            size="compact-md"
            onClick={() => setSelection(selection ? null : NOTHING_SELECTED)}
          >
            {selection ? texts.done : texts.select}
          </Button>
        )}
      </div>
      <div ref={place} tabIndex={-1} className={styles.list}>
        <GrowingList list={list} waiting={<LibraryGridSkeleton view="grid" />} empty={<NothingDeleted />}>
          <LibraryGrid label={texts.pages.deleted} view="grid">
            {items.map((media) => (
              <DeletedCard
                key={media._id}
                media={media}
                selected={selection ? selection.chosen.has(media._id) : null}
                onSelect={(range) =>
                  setSelection(toggle(selection ?? NOTHING_SELECTED, items, media._id, range))
                }
                busy={restore.isPending && (restore.variables?.includes(media._id) ?? false)}
                onRestore={() => bringBack([media])}
              />
            ))}
          </LibraryGrid>
        </GrowingList>
      </div>
      {selection && items.length > 0 && (
        <RestoreBar
          count={selection.chosen.size}
          loaded={items.length}
          busy={restore.isPending}
          onSelectAll={() => setSelection(selectAll(selection, items))}
          onClear={() => setSelection(NOTHING_SELECTED)}
          onRestore={() => bringBack([...selection.chosen.values()])}
        />
      )}
    </div>
  )
}

function NothingDeleted() {
  return (
    <EmptyState Icon={IconTrash} title={texts.deleted.emptyTitle}>
      {texts.deleted.empty}
    </EmptyState>
  )
}
