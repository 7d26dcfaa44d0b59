import { useWindowEvent } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { toast } from '../../../ui/toast.ts'
import { libraryCountQuery, libraryQuery, type SelectedMedia, useSelectAll } from './api.ts'
import { type Collecting, SelectionBar } from './bulk/SelectionBar.tsx'
import { DeleteMediaDialog } from './DeleteMediaDialog.tsx'
import { addressOf, filterOf, type LibraryFilter } from './filter.ts'
import { LibraryFilters } from './LibraryFilters.tsx'
import { LibraryGridSkeleton } from './LibraryGrid.tsx'
import { ManageCard } from './ManageCard.tsx'
import { NothingHere } from './NothingHere.tsx'
import styles from './OwnLibrary.module.css'
import { SortableGrid } from './SortableGrid.tsx'
import { NOTHING_SELECTED, refreshed, type Selection, selectAll, toggle } from './selection.ts'
import { texts } from './texts.ts'
import { useMove } from './use-move.ts'
import { ViewSwitch } from './ViewSwitch.tsx'
import { useLibraryView } from './view.ts'

/** The person’s own library: found, ordered, changed and deleted, one by one or many at once (docs/product.md, Pages). */
export function OwnLibrary({ collecting }: { collecting: readonly Collecting[] }) {
  const navigate = useNavigate()
  const { isCreator } = useCurrentUser()
  const [address, setAddress] = useSearchParams()
  const filter = filterOf(address)
  const filtered = addressOf(filter).size > 0
  const list = useList({ ...libraryQuery(filter), placeholderData: keepPreviousData })
  const { items } = list
  const [selecting, setSelecting] = useState(false)
  const [selection, setSelection] = useState<Selection<SelectedMedia>>(NOTHING_SELECTED)
  const [deleting, setDeleting] = useState<readonly SelectedMedia[] | null>(null)
  const [view, setView] = useLibraryView()
  const count = useQuery({ ...libraryCountQuery(filter), enabled: selecting }).data ?? null
  const everything = useSelectAll(filter)
  const selected = [...selection.chosen.values()]
  const move = useMove(filter, items, list)

  // Two choices may be made before the address shows the first.
  const latest = useRef(filter)
  useEffect(() => {
    latest.current = filterOf(address)
  }, [address])
  const narrow = (change: Partial<LibraryFilter>, options?: { replace: boolean }) => {
    latest.current = { ...latest.current, ...change }
    setAddress(addressOf(latest.current), { preventScrollReset: true, ...options })
  }
  const selectEverything = () =>
    everything.mutate(undefined, {
      onSuccess: ({ items: all }) => setSelection((now) => selectAll(now, all)),
      onError: (error) => toast.failure(texts.selectAllFailed(errorMessage(error))),
    })
  const stopSelecting = () => {
    setSelecting(false)
    setSelection(NOTHING_SELECTED)
  }
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      const elsewhere =
        document.querySelector('[role="dialog"]') ||
        (target instanceof HTMLInputElement && target.type !== 'checkbox')
      if (key === 'Escape' && selecting && !elsewhere) stopSelecting()
    },
    // Before a dialog or a list of options hears it and closes.
    true,
  )
  const waiting = list.isFetching && items.length === 0

  return (
    <div className={styles.manage}>
      <LibraryFilters filter={filter} onChange={narrow} withVisibility={isCreator} />
      <div className={styles.order}>
        <p className={styles.hint}>
          {items.length > 1 && (selecting ? texts.selectHint : orderHint(filtered))}
        </p>
        {filtered && (
          <Button variant="subtle" size="compact-md" onClick={() => setAddress({})}>
            {texts.clearFilters}
          </Button>
        )}
        <ViewSwitch view={view} onChange={setView} />
        {(items.length > 0 || selecting) && (
          <Button
            variant="default"
            size="compact-md"
            onClick={() => (selecting ? stopSelecting() : setSelecting(true))}
          >
            {selecting ? texts.done : texts.select}
          </Button>
        )}
      </div>
      <div aria-busy={list.isPlaceholderData} className={styles.list}>
        <GrowingList
          list={list}
          waiting={<LibraryGridSkeleton view={view} />}
          empty={
            waiting ? (
              <LibraryGridSkeleton view={view} />
            ) : (
              <NothingHere filtered={filtered} onClear={() => setAddress({})} />
            )
          }
        >
          <SortableGrid
            label={texts.yourMedia}
            view={view}
            items={move.order}
            enabled={!filtered && !selecting && items.length > 1 && !list.isPlaceholderData}
            onMove={(from, to) => void move.to(from, to)}
          >
            {(media, index, handle) => (
              <ManageCard
                media={media}
                view={view}
                eager={index < 12}
                editable={isCreator}
                selected={selecting ? selection.chosen.has(media._id) : null}
                onSelect={(range) => setSelection(toggle(selection, move.order, media._id, range))}
                onOpen={() => void navigate(paths.media(media._id))}
                onDelete={() => setDeleting([media])}
                handle={handle}
              />
            )}
          </SortableGrid>
        </GrowingList>
      </div>
      {selecting && (
        <SelectionBar
          selected={selected}
          hidden={selected.filter(({ _id }) => !items.some((media) => media._id === _id)).length}
          all={{
            label: texts.selectAll(count),
            disabled: items.length === 0,
            loading: everything.isPending,
            onSelect: selectEverything,
          }}
          sells={isCreator}
          collecting={isCreator ? collecting : []}
          onClear={() => setSelection(NOTHING_SELECTED)}
          onChanged={(fresh) => setSelection(refreshed(selection, fresh))}
          onDelete={() => setDeleting(selected)}
        />
      )}
      <DeleteMediaDialog items={deleting} onClose={() => setDeleting(null)} onDeleted={stopSelecting} />
    </div>
  )
}

function orderHint(filtered: boolean): string {
  return filtered ? texts.orderFiltered : texts.orderHint
}
