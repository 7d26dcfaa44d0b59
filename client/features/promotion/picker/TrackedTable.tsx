import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { NOTHING_SELECTED, type Selection } from '../../../ui/selection.ts'
import type { Column } from '../../../ui/table/column.ts'
import { statusLabel, verificationLabel } from '../parts/label-texts.ts'
import { type SubredditSort, SubredditTable } from '../parts/SubredditTable.tsx'
import tableStyles from '../parts/table.module.css'
import { tableTexts } from '../parts/texts.ts'
import { type TrackedRow, trackedQuery } from './api.ts'
import type { PickerFilter } from './filter.ts'
import { PlaceButtons } from './PlaceButtons.tsx'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'
import type { useChoices } from './use-choices.ts'

type TrackedTableProps = {
  filter: PickerFilter
  onSort: (sortBy: SubredditSort) => void
  picking: ReturnType<typeof useChoices>
  onShow: (name: string) => void
}

/** Tracked subreddits in a scroll area, to be selected and discarded by buttons, keys, and in ranges. */
export function TrackedTable({ filter, onSort, picking, onShow }: TrackedTableProps) {
  const list = useList({ ...trackedQuery(filter), placeholderData: keepPreviousData })
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  const { move } = picking
  // Rows that aren’t shown anymore can’t be meant.
  const shown = new Set(list.items.map(({ name }) => name))
  const chosen = [...selection.chosen].filter((name) => shown.has(name))

  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest('tr')
    // Keys are for the row’s own box: buttons and links in it have their own.
    if (!row || !(event.target instanceof HTMLInputElement) || event.ctrlKey || event.metaKey) return
    const name = list.items[Number(row.getAttribute('aria-rowindex')) - 2]?.name
    if (name === undefined) return
    const names = chosen.includes(name) ? chosen : [name]
    if (event.key === 'Enter') move(names, 'usable')
    else if (event.key === 'd' || event.key === 'D') move(names, 'discarded')
    else return
    event.preventDefault()
  }
  const area = useRef<HTMLDivElement>(null)
  const clear = () => {
    // The bar goes with its buttons: the keyboard continues in the rows.
    area.current?.querySelector<HTMLElement>('tbody input[tabindex="0"]')?.focus({ preventScroll: true })
    setSelection(NOTHING_SELECTED)
  }
  const moveChosen = (place: 'usable' | 'discarded') => {
    move(chosen, place)
    clear()
  }
  return (
    <>
      <p className={styles.keys}>{texts.keys}</p>
      {chosen.length > 0 && (
        <section className={styles.bar} aria-label={texts.chosenBar}>
          <p role="status">{texts.chosen(chosen.length)}</p>
          <Button size="sm" onClick={() => moveChosen('usable')}>
            {texts.select}
          </Button>
          <Button size="sm" variant="default" onClick={() => moveChosen('discarded')}>
            {texts.discard}
          </Button>
          <Button size="sm" variant="subtle" onClick={clear}>
            {texts.clear}
          </Button>
        </section>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the boxes in it. */}
      <div
        ref={area}
        className={styles.scroll}
        data-list-box
        aria-busy={list.isPlaceholderData}
        onKeyDown={onKeyDown}
      >
        <p role="status">
          <Hidden>
            {!list.isPending &&
              !list.isPlaceholderData &&
              !list.error &&
              texts.results(list.items.length, list.hasNextPage)}
          </Hidden>
        </p>
        <GrowingList
          list={list}
          failed={texts.listFailed}
          waiting={<SkeletonLines lines={8} />}
          empty={<EmptyState title={texts.emptyTitle}>{texts.empty}</EmptyState>}
        >
          <SubredditTable
            rows={list.items}
            columns={columnsFor(picking, onShow)}
            sortBy={filter.sortBy}
            onSort={onSort}
            selection={selection}
            onSelect={setSelection}
          />
        </GrowingList>
      </div>
    </>
  )
}

function columnsFor(
  picking: TrackedTableProps['picking'],
  onShow: TrackedTableProps['onShow'],
): Column<TrackedRow>[] {
  return [
    {
      id: 'name',
      header: tableTexts.columns.name,
      card: 'title',
      cell: ({ name }) => (
        <button type="button" className={tableStyles.name} onClick={() => onShow(name)}>
          r/{name}
        </button>
      ),
    },
    {
      id: 'subscribers',
      header: tableTexts.columns.subscribers,
      figures: true,
      width: '15%',
      card: 'note',
      cell: ({ subscribers }) => (subscribers === null ? texts.unknownSize : formatNumber(subscribers)),
    },
    {
      id: 'verification',
      header: texts.columns.verification,
      width: '14%',
      cell: ({ verificationType }) => verificationLabel[verificationType],
    },
    {
      id: 'status',
      header: texts.columns.status,
      width: '15%',
      card: 'note',
      cell: ({ status }) => (status ? statusLabel[status] : texts.noRecord),
    },
    {
      id: 'actions',
      header: texts.columns.actions,
      width: '14rem',
      card: 'state',
      cell: ({ name }) => <PlaceButtons name={name} picking={picking} />,
    },
  ]
}
