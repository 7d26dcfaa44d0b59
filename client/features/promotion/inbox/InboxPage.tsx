import { IconEyeOff, IconMail, IconRefresh, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { accountsQuery } from '../parts/api.ts'
import { NotConnected } from '../parts/NotConnected.tsx'
import { useForum } from '../parts/use-forum.ts'
import { type InboxFilter, inboxQuery, useSync } from './api.ts'
import { FilterChoice } from './FilterChoice.tsx'
import styles from './inbox.module.css'
import { ThreadCard } from './ThreadCard.tsx'
import { inboxTexts as texts } from './texts.ts'
import { filterOf } from './words.ts'

/** An inbox older than this is read from the forum at once when somebody comes, in milliseconds. */
const OLD_MS = 60_000

/** The private messages of the creator’s forum accounts; the filter stands in the address. */
export function Component() {
  const { forumConnected } = useCurrentUser()
  const { name: forum } = useForum()
  const [address, change, asked] = useAddress()
  const filter = filterOf(address)
  const list = useList({ ...inboxQuery(filter, forumConnected), placeholderData: keepPreviousData })
  const sync = useSync()
  const syncedAt = list.first?.syncedAt
  const wasAsked = useRef(false)
  const { mutate } = sync
  const client = useQueryClient()
  const isRevoked = list.first?.failure === 'reconnect'
  // The notice above the page says so, once it knows.
  useEffect(() => {
    if (isRevoked) void client.invalidateQueries({ queryKey: accountsQuery.queryKey })
  }, [isRevoked, client])
  useEffect(() => {
    if (wasAsked.current || syncedAt === undefined || !forumConnected) return
    wasAsked.current = true
    if (syncedAt === null || serverNow().getTime() - Date.parse(syncedAt) > OLD_MS) mutate()
  }, [syncedAt, forumConnected, mutate])
  const check = () =>
    mutate(undefined, {
      onSuccess: ({ againAt }) => {
        const wait = againAt ? Date.parse(againAt) - serverNow().getTime() : 0
        if (wait > 0) toast.note(texts.checkAgain(Math.ceil(wait / 1000)))
      },
      onError: (error) => toast.failure(texts.checkFailed(errorMessage(error))),
    })
  if (!forumConnected && list.items.length === 0 && !isFiltered(filter))
    return (
      <Page title={texts.title} lead={texts.lead} width="text">
        <NotConnected about={texts.connect} />
      </Page>
    )
  // Until the forum was asked for the first time, nobody knows whether there is nothing.
  const isReading = forumConnected && syncedAt === null && list.first?.failure === null
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      action={
        forumConnected && (
          <Button
            variant="default"
            loading={sync.isPending}
            leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
            onClick={check}
          >
            {texts.check}
          </Button>
        )
      }
    >
      {list.first?.failure === 'unavailable' && (
        <p className={styles.banner} role="alert">
          {texts.unavailable(forum)}
        </p>
      )}
      <search className={styles.filters} aria-label={texts.search}>
        <SearchBox
          className={styles.search}
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={200}
          value={filter.search}
          onChange={(search) => change({ search })}
        />
        <FilterChoice
          label={texts.removeContacted}
          checked={filterOf(asked).removeContacted}
          onChange={(on) => change({ removeContacted: on ? 'true' : '' }, { replace: false })}
        />
        <FilterChoice
          label={texts.ignored}
          isSwitch
          checked={filterOf(asked).ignored}
          onChange={(on) => change({ ignored: on ? 'true' : '' }, { replace: false })}
        />
        {syncedAt && <p className={styles.updated}>{texts.updated(syncedAt)}</p>}
      </search>
      <section aria-label={texts.list}>
        <GrowingList
          list={list}
          failed={texts.failed}
          waiting={<SkeletonLines lines={8} />}
          empty={isReading ? <p role="status">{texts.reading}</p> : <Empty filter={filter} />}
        >
          <ul className={styles.threads} aria-label={texts.list}>
            {list.items.map((thread) => (
              <ThreadCard key={thread._id} thread={thread} />
            ))}
          </ul>
        </GrowingList>
      </section>
    </Page>
  )
}

const isFiltered = ({ search, removeContacted, ignored }: InboxFilter) =>
  search !== '' || removeContacted || ignored

function Empty({ filter }: { filter: InboxFilter }) {
  if (filter.search !== '' || filter.removeContacted)
    return (
      <EmptyState Icon={IconSearch} title={texts.noResultsTitle}>
        {texts.noResults}
      </EmptyState>
    )
  return filter.ignored ? (
    <EmptyState Icon={IconEyeOff} title={texts.noIgnoredTitle}>
      {texts.noIgnored}
    </EmptyState>
  ) : (
    <EmptyState Icon={IconMail} title={texts.emptyTitle}>
      {texts.empty}
    </EmptyState>
  )
}
