import { IconPlus, IconTags } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { NOTHING_SELECTED, type Selection } from '../../../ui/selection.ts'
import { SubredditTable } from '../parts/SubredditTable.tsx'
import { tableQuery } from './api.ts'
import { useColumns } from './columns.tsx'
import { addressOf, filterOf, type SubredditFilter } from './filter.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { SubredditFilters } from './SubredditFilters.tsx'
import styles from './subreddits.module.css'
import { TagsAdmin } from './TagsAdmin.tsx'
import { filterTexts, manageTexts as texts } from './texts.ts'

const ImportDialog = lazyPart(() => import('./ImportDialog.tsx').then((module) => module.ImportDialog))

/** All tracked subreddits for operators: found by filters that stand in the address, chosen, imported, and refreshed. */
export function Component() {
  const [address, change, asked] = useAddress()
  const filter = filterOf(address)
  const list = useList({ ...tableQuery(filter), placeholderData: keepPreviousData })
  const columns = useColumns()
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  const [importing, setImporting] = useState(false)
  const importNeeded = useLatch(importing)

  const narrow = (to: Partial<SubredditFilter>, options = { replace: false }) =>
    change((before) => addressOf({ ...filterOf(before), ...to }), options)
  const clear = () => change(() => new URLSearchParams(), { preventScrollReset: false })
  const isNarrowed = addressOf({ ...filter, sortBy: 'subscribers' }).size > 0
  const importButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setImporting(true)}>
      {texts.import}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} action={importButton}>
      <SubredditFilters filter={filterOf(asked)} onChange={narrow} onClear={clear} />
      <div className={styles.tagsAdmin}>
        <TagsAdmin />
      </div>
      <div aria-busy={list.isPlaceholderData}>
        <GrowingList
          list={list}
          failed={texts.failed}
          waiting={<SkeletonLines lines={8} />}
          empty={
            isNarrowed ? (
              <EmptyState
                title={texts.noResultsTitle}
                action={
                  <Button variant="default" onClick={clear}>
                    {filterTexts.clear}
                  </Button>
                }
              >
                {texts.noResults}
              </EmptyState>
            ) : (
              <EmptyState Icon={IconTags} title={texts.emptyTitle} action={importButton}>
                {texts.empty}
              </EmptyState>
            )
          }
        >
          <SubredditTable
            rows={list.items}
            columns={columns}
            sortBy={filter.sortBy}
            onSort={(sortBy) => narrow({ sortBy })}
            selection={selection}
            onSelect={setSelection}
          />
        </GrowingList>
      </div>
      {selection.chosen.size > 0 && (
        <SelectionBar names={[...selection.chosen]} onClear={() => setSelection(NOTHING_SELECTED)} />
      )}
      {importNeeded && <ImportDialog opened={importing} onClose={() => setImporting(false)} />}
    </Page>
  )
}
