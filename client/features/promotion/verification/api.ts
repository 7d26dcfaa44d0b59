import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from '../../../../contract/constants.ts'
import { cleanSubredditName } from '../../../../contract/promotion.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { verificationRoutes } from '../../../../contract/routes/promotion/verification.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import {
  changedCounts,
  isFoundBy,
  type Pages,
  type Status,
  type VerificationRecord,
  withoutRecord,
  withRecord,
  withStatus,
} from './records.ts'

export type OneRecord = Output<typeof verificationRoutes.verificationRecord>
type Change = Omit<Input<typeof verificationRoutes.updateVerification>['body'], 'srName'>

const own = [...roots.promotion, 'verification'] as const
const boards = [...own, 'records'] as const

/** The person’s own records whose name contains the search, by name: of one status, or all in pages as large as they come. */
export function recordsQuery(status: Status | 'all', search = '') {
  const narrowed = status === 'all' ? { limit: MAX_PAGE_SIZE } : { status }
  return infiniteQueryOptions({
    queryKey: [...boards, status, search],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.verificationRecords,
        { query: { ...narrowed, cursor: pageParam, ...(search ? { search } : {}) } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** One record, the person’s own unless an operator names somebody else. */
export function recordQuery(name: string, userId: string | undefined) {
  return queryOptions({
    queryKey: [...own, 'one', name.toLowerCase(), userId ?? 'self'],
    queryFn: ({ signal }) =>
      call(routes.verificationRecord, { query: { name, ...(userId ? { userId } : {}) } }, { signal }),
  })
}

/** Queries that a changed record invalidates: the board, and every table of subreddits that shows its status. */
export const recordChanges = { invalidates: [boards], outdates: [roots.promotion] }

/** Puts an answer where the page of its record reads it. */
export function keepRecord(
  client: QueryClient,
  userId: string | undefined,
  record: VerificationRecord,
  checked?: readonly string[],
): void {
  const { queryKey } = recordQuery(record.name, userId)
  // Of a subreddit that wasn’t tracked the page has nothing yet.
  if (!client.getQueryData(queryKey)) void client.invalidateQueries({ queryKey })
  client.setQueryData(
    queryKey,
    (known) =>
      known && {
        ...known,
        ...record,
        recorded: true,
        checklist: known.checklist.map((item) =>
          checked ? { ...item, done: checked.includes(item.text) } : item,
        ),
      },
  )
}

/** Changes one record; changes of the same page are sent one after another. */
export function useUpdateRecord(name: string, userId: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `verification ${name}` },
    mutationFn: (change: Omit<Change, 'userId'>) =>
      call(routes.updateVerification, { body: { srName: name, ...(userId ? { userId } : {}), ...change } }),
    onSuccess: (record, { checked }) => keepRecord(client, userId, record, checked),
    meta: recordChanges,
  })
}

/**
 * Ticks one item of a record’s checklist, or unticks it. Each is sent upon what the server has by then: one that is
 * refused isn’t kept by the next.
 */
export function useTick(name: string, userId: string | undefined) {
  const update = useUpdateRecord(name, userId)
  return useMutation({
    scope: { id: `checklist ${name}` },
    mutationFn: async ({ text, done }: { text: string; done: boolean }) => {
      const query = { name, ...(userId ? { userId } : {}) }
      const { checklist } = await call(routes.verificationRecord, { query })
      const checked = checklist.filter((item) => (item.text === text ? done : item.done))
      return update.mutateAsync({ checked: checked.map((item) => item.text) })
    },
  })
}

/** Puts a subreddit on the person’s board by its name; `before` is the status of one that was there already. */
export async function addRecord(srName: string) {
  const search = cleanSubredditName(srName)
  const found = await call(routes.verificationRecords, { query: { search, limit: MAX_PAGE_SIZE } })
  const known = found.items.find(({ name }) => name.toLowerCase() === search.toLowerCase())
  const record = await call(routes.updateVerification, { body: { srName } })
  return { name: record.name, before: known?.status ?? null }
}

/** Marks the person’s own verification as done. */
export function useVerifySubreddit(name: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.verifySubreddit, { body: { subreddit: name } }),
    onSuccess: () =>
      client.setQueryData(
        recordQuery(name, undefined).queryKey,
        (known) => known && { ...known, status: 'done' as const, recorded: true },
      ),
    meta: recordChanges,
  })
}

/** Removes a subreddit from the person’s own verifications. */
export function useRemoveRecord() {
  return useMutation({
    mutationFn: (srName: string) => call(routes.removeVerification, { body: { srName } }),
    meta: { ...recordChanges, forgets: [[...own, 'one']] },
  })
}

type Move = { record: VerificationRecord; to: Status }
const MOVING = [...own, 'move'] as const

/** Moves a record to another status: seen at once, moved back when it fails. */
export function useMoveRecord() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: MOVING,
    scope: { id: 'move-verification' },
    mutationFn: ({ record, to }: Move) =>
      call(routes.updateVerification, { body: { srName: record.name, status: to } }),
    onMutate: async ({ record, to }) => {
      await client.cancelQueries({ queryKey: boards })
      moveCached(client, record, to)
    },
    onError: (_error, { record, to }) => moveCached(client, { ...record, status: to }, record.status),
    meta: { ...recordChanges, onFailure: [boards] },
  })
}

function moveCached(client: QueryClient, record: VerificationRecord, to: Status): void {
  for (const [queryKey, list] of client.getQueriesData<Pages>({ queryKey: boards })) {
    if (!list) continue
    const [status, search] = queryKey.slice(boards.length)
    const counted = changedCounts(list, record.status, to)
    const isFound = typeof search === 'string' && isFoundBy(record, search)
    client.setQueryData<Pages>(
      queryKey,
      status === 'all'
        ? withStatus(counted, record.name, to)
        : status === record.status
          ? withoutRecord(counted, record.name)
          : status === to && isFound
            ? withRecord(counted, { ...record, status: to })
            : counted,
    )
  }
}
