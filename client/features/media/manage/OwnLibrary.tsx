import { useWindowEvent } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { type LibraryMedia, libraryCountQuery, libraryQuery, type SelectedMedia } from './api.ts'
import type { Collecting } from './bulk/SelectionBar.tsx'
import { addressOf, filterOf, type LibraryFilter } from './filter.ts'
import { LibraryFilters } from './LibraryFilters.tsx'
import { LibraryGridSkeleton } from './LibraryGrid.tsx'
import { ManageCard } from './ManageCard.tsx'
import styles from './OwnLibrary.module.css'
import { SortableGrid } from './SortableGrid.tsx'
import { texts } from './texts.ts'
import { useMove } from './use-move.ts'
import { useSelecting } from './use-selecting.ts'
import { ViewSwitch } from './ViewSwitch.tsx'
import { useLibraryView } from './view.ts'

const SelectionBar = lazyPart(() => import('./bulk/SelectionBar.tsx').then((module) => module.SelectionBar))
const NothingHere = lazyPart(() => import('./NothingHere.tsx').then((module) => module.NothingHere))
const DeleteMediaDialog = lazyPart(() =>
  import('./DeleteMediaDialog.tsx').then((module) => module.DeleteMediaDialog),
)

/** The person’s own library: found, ordered, changed and deleted, one by one or many at once (docs/product.md, Pages). */
export function OwnLibrary({ collecting }: { collecting: readonly Collecting[] }) {
  const navigate = useNavigate()
  const { isCreator } = useCurrentUser()
  const [address, change, asked] = useAddress()
  const filter = filterOf(address)
  const filtered = addressOf(filter).size > 0
  const list = useList({ ...libraryQuery(filter), placeholderData: keepPreviousData })
  const { items } = list
  const { selecting, chosen, ...select } = useSelecting(filter)
  const [deleting, setDeleting] = useState<readonly SelectedMedia[] | null>(null)
  const askedBefore = useLatch(deleting !== null)
  const [view, setView] = useLibraryView()
  const count = useQuery({ ...libraryCountQuery(filter), enabled: selecting }).data ?? null
  const selected = [...chosen.values()]
  const loaded = useMemo(() => new Set(items.map(({ _id }) => _id)), [items])
  const move = useMove(filter, items, list)
  const { order } = move

  const narrow = (to: Partial<LibraryFilter>, options = { replace: false }) =>
    change((before) => addressOf({ ...filterOf(before), ...to }), options)
  const clear = () => change(() => new URLSearchParams(), { preventScrollReset: false })
  // The same from one time to the next, so that a click draws the cards that it changes and not all of them.
  const { turn } = select
  const onSelect = useCallback(
    ({ _id }: LibraryMedia, range: boolean) => turn(order, _id, range),
    [turn, order],
  )
  const onOpen = useCallback(({ _id }: LibraryMedia) => void navigate(paths.media(_id)), [navigate])
  const onDelete = useCallback((media: LibraryMedia) => setDeleting([media]), [])
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      const elsewhere =
        document.querySelector('[role="dialog"]') ||
        (target instanceof HTMLInputElement && target.type !== 'checkbox')
      if (key === 'Escape' && selecting && !elsewhere) select.stop()
    },
    // Runs before a dialog or a list of options handles the key and closes.
    true,
  )
  const waiting = list.isFetching && items.length === 0

  return (
    <div className={styles.manage}>
      <LibraryFilters filter={filterOf(asked)} onChange={narrow} withVisibility={isCreator} />
      <div className={styles.order}>
        <p className={styles.hint}>
          {items.length > 1 &&
            (selecting ? <span className={styles.keyboard}>{texts.selectHint}</span> : orderHint(filtered))}
        </p>
        {filtered && (
          <Button variant="subtle" size="compact-md" onClick={clear}>
            {texts.clearFilters}
          </Button>
        )}
        <ViewSwitch view={view} onChange={setView} />
        {(items.length > 0 || selecting) && (
          <Button variant="default" onClick={selecting ? select.stop : select.start}>
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
              <NothingHere filtered={filtered} onClear={clear} />
            )
          }
        >
          <SortableGrid
            label={texts.yourMedia}
            view={view}
            items={order}
            enabled={!filtered && !selecting && items.length > 1 && !list.isPlaceholderData}
            onMove={(from, to) => void move.to(from, to)}
          >
            {(media, index, handle) => (
              <ManageCard
                media={media}
                view={view}
                eager={index < 12}
                editable={isCreator}
                selected={selecting ? chosen.has(media._id) : null}
                onSelect={onSelect}
                onOpen={onOpen}
                onDelete={onDelete}
                handle={handle}
              />
            )}
          </SortableGrid>
        </GrowingList>
      </div>
      {selecting && (
        <SelectionBar
          selected={selected}
          hidden={selected.filter(({ _id }) => !loaded.has(_id)).length}
          all={{
            label: texts.selectAll(count),
            disabled: items.length === 0,
            loading: select.asking,
            onSelect: select.all,
          }}
          sells={isCreator}
          collecting={isCreator ? collecting : []}
          onClear={select.none}
          onChanged={select.refresh}
          onDelete={() => setDeleting(selected)}
        />
      )}
      {askedBefore && (
        <DeleteMediaDialog items={deleting} onClose={() => setDeleting(null)} onDeleted={select.stop} />
      )}
    </div>
  )
}

function orderHint(filtered: boolean): string {
  return filtered ? texts.orderFiltered : texts.orderHint
}
