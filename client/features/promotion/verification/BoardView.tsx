import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { AddSubreddit } from './AddSubreddit.tsx'
import { recordsQuery } from './api.ts'
import { Board } from './Board.tsx'
import styles from './board.module.css'
import { NoRecords } from './NoRecords.tsx'
import { boardTexts as texts } from './texts.ts'

const MAX_SEARCH = 60

/** The board, narrowed by the search that stands in the address; `views` leads to the other view. */
export function BoardView({ views }: { views: ReactNode }) {
  const [address, change] = useAddress()
  const search = (address.get('search') ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH)
  const found = { placeholderData: keepPreviousData }
  const columns = {
    todo: useList({ ...recordsQuery('todo', search), ...found }),
    pending: useList({ ...recordsQuery('pending', search), ...found }),
    done: useList({ ...recordsQuery('done', search), ...found }),
  }
  const { first, error, refetch } = columns.todo
  const total = first ? first.counts.todo + first.counts.pending + first.counts.done : null
  if (total === null || total === 0)
    return (
      <Fetched
        query={{ data: first, error, refetch }}
        waiting={<SkeletonLines lines={6} />}
        failed={texts.failed}
      >
        {() => <NoRecords />}
      </Fetched>
    )
  return (
    <>
      <div className={styles.tools}>
        {views}
        <AddSubreddit />
      </div>
      <div className={styles.search}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={MAX_SEARCH}
          value={search}
          onChange={(next) => change({ search: next })}
        />
      </div>
      <Board columns={columns} counts={first?.counts ?? null} search={search} />
    </>
  )
}
