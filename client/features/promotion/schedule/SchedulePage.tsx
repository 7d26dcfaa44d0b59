import { IconCalendarPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CANDIDATE_ORDERS, CANDIDATES_STEP } from '../../../../contract/promotion.ts'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useAllPages, useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { takesForms } from '../../../ui/UnsavedChanges.tsx'
import { NotConnected } from '../parts/NotConnected.tsx'
import { queueQuery } from '../timeline/api.ts'
import { candidatesQuery, useOrder } from './api.ts'
import { CandidateCard } from './CandidateCard.tsx'
import styles from './schedule.module.css'
import { scheduleTexts as texts } from './texts.ts'

const MAX_SEARCH = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Posts with subreddits where they can go up next, of all posts or one; that and the search stand in the address. */
export function Component() {
  const [address, change] = useAddress()
  const { forumConnected, isCreator } = useCurrentUser()
  const search = (address.get('subreddit') ?? '').trim().slice(0, MAX_SEARCH)
  const postId = UUID.test(address.get('post') ?? '') ? address.get('post') : null
  const list = useList({
    ...candidatesQuery(search, CANDIDATES_STEP, postId),
    placeholderData: keepPreviousData,
  })
  const count = list.first?.count
  const queue = useQuery(queueQuery)
  const order = useOrder()
  const candidateOrder = (order.isPending && order.variables) || queue.data?.candidateOrder
  // Cards leave as they are scheduled: more of them come before anybody reads that there are none.
  const isEmptied = list.items.length === 0 && list.hasNextPage
  useAllPages(list, isEmptied)
  const show = (parameters: { subreddit: string } | { post: string }) =>
    change(parameters, { replace: true, state: takesForms })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      action={
        <div className={styles.actions}>
          {isCreator && (
            <LinkButton to={promotionPaths.plan} variant="default">
              {texts.plan}
            </LinkButton>
          )}
          <LinkButton to={promotionPaths.timeline} variant="default">
            {texts.timeline}
          </LinkButton>
        </div>
      }
    >
      {!forumConnected && (
        <div className={styles.prompt}>
          <NotConnected />
        </div>
      )}
      <div className={styles.tools}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={MAX_SEARCH}
          value={search}
          onChange={(next) => show({ subreddit: next })}
          className={styles.search}
        />
        <p className={styles.count} role="status">
          {count === undefined ? '' : texts.count(count)}
        </p>
      </div>
      {isCreator && candidateOrder && (
        <div className={styles.order}>
          <p className={styles.label} aria-hidden>
            {texts.order}
          </p>
          <FilterButtons
            label={texts.order}
            choices={CANDIDATE_ORDERS.map((value) => ({ value, label: texts.orders[value] }))}
            value={candidateOrder}
            onChange={(value) =>
              order.mutate(value, { onError: (error) => toast.failure(errorMessage(error)) })
            }
          />
          <p className={styles.quiet}>{texts.orderHints[candidateOrder]}</p>
        </div>
      )}
      {postId && (
        <p className={styles.ofPost}>
          {texts.ofPost}{' '}
          <Button variant="subtle" size="sm" onClick={() => show({ post: '' })}>
            {texts.allPosts}
          </Button>
        </p>
      )}
      <GrowingList
        list={list}
        byButton
        moreLabel={texts.showMore}
        failed={texts.failed}
        waiting={<SkeletonLines lines={10} />}
        empty={
          isEmptied ? (
            <SkeletonLines lines={10} />
          ) : search ? (
            <EmptyState Icon={IconCalendarPlus} title={texts.noResults(search)} />
          ) : (
            <EmptyState
              Icon={IconCalendarPlus}
              title={texts.emptyTitle}
              action={<LinkButton to={promotionPaths.posts}>{texts.posts}</LinkButton>}
            >
              {texts.empty}
            </EmptyState>
          )
        }
      >
        <ul className={styles.cards} aria-label={texts.list}>
          {list.items.map((candidate) => (
            <CandidateCard key={`${candidate._id} ${candidate.subreddit}`} candidate={candidate} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}
