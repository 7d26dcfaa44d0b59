import { IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { AddSubreddit } from './AddSubreddit.tsx'
import { recordsQuery } from './api.ts'
import { Board } from './Board.tsx'
import styles from './board.module.css'
import { boardTexts as texts } from './texts.ts'

const MAX_SEARCH = 60

/** The creator’s verifications as a board by status, narrowed by the search that stands in the address. */
export function Component() {
  const [address, setAddress] = useSearchParams()
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
  const { first, error, isPending, refetch } = columns.todo
  const total = first ? first.counts.todo + first.counts.pending + first.counts.done : null
  const find = (next: string) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before)
        if (next) after.set('search', next)
        else after.delete('search')
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  if (total === null || total === 0)
    return (
      <Page title={texts.title} lead={texts.lead}>
        {isPending && <SkeletonLines lines={6} />}
        {error && <ErrorState title={texts.failed} error={error} onRetry={() => void refetch()} />}
        {total === 0 && (
          <EmptyState Icon={IconShieldCheck} title={texts.emptyTitle} action={<AddSubreddit />}>
            {texts.empty}
          </EmptyState>
        )}
      </Page>
    )
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className={styles.tools}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={MAX_SEARCH}
          value={search}
          onChange={find}
        />
        <AddSubreddit />
      </div>
      <Board columns={columns} counts={first?.counts ?? null} search={search} />
    </Page>
  )
}
