import { MutationCache, type Query, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Belongs to the browser, not to the logged-in person: kept across login and log-out. */
      keep?: 'browser'
    }
    mutationMeta: {
      /**
       * Queries that the change makes stale: refetched right away where they are shown. Nothing waits for it. Of mutations
       * with one key only the last does it: an answer before it would take back what it shows already.
       */
      invalidates?: readonly QueryKey[]
      /** The same, refetched at the next visit, so that nothing moves while somebody looks at it. */
      outdates?: readonly QueryKey[]
      /** Data that must not be seen again: dropped where it isn't shown, otherwise refetched. */
      forgets?: readonly QueryKey[]
      /** Queries that a failure proves wrong, or that the change was shown in before it was answered: refetched after it. */
      onFailure?: readonly QueryKey[]
    }
  }
}

/** The key root of each domain's queries. */
export const roots = {
  config: ['config'],
  identity: ['identity'],
  profiles: ['profiles'],
  media: ['media'],
  commerce: ['commerce'],
  messaging: ['messaging'],
  notifications: ['notifications'],
  promotion: ['promotion'],
  compliance: ['compliance'],
} as const

/** Paged lists of media; of them, those limited to followed creators change with a follow. */
export const mediaListsKey = [...roots.media, 'lists', 'paged'] as const
export const newMediaKey = [...mediaListsKey, 'new'] as const

/** Chats by the other person: a follow or a purchase may open one for messages. */
export const chatsKey = [...roots.messaging, 'chat'] as const

/** The person's open tasks on Home. They include custom requests, which change with messages. */
export const waitingKey = [...roots.messaging, 'waiting'] as const

type Filters = {
  refetchType?: 'active' | 'none'
  exact?: boolean
  /** With `kept`, answers on their way are let arrive, and followed by another: events may come faster than answers. */
  running?: 'kept'
}

/** Refetches everything below these keys: shown queries right away, the others, or with `none` all, when they are next used. */
export function invalidate(client: QueryClient, keys: readonly QueryKey[], filters: Filters = {}): void {
  void refetched(client, keys, filters)
}

/** Invalidates, and waits for the answers of the queries that are shown. */
export async function refetched(
  client: QueryClient,
  keys: readonly QueryKey[],
  { refetchType = 'active', exact = false, running }: Filters = {},
): Promise<void> {
  // TanStack Query takes the answer that is on its way for the end of an invalidation, unless it gives that up for a newer one.
  const predicate = (query: Query) =>
    query.state.fetchStatus !== 'idle' &&
    (running === 'kept' || refetchType === 'none' || query.state.data === undefined || !query.isActive())
  const followed = keys.flatMap((queryKey) => client.getQueryCache().findAll({ queryKey, exact, predicate }))
  await Promise.all([
    ...followed.map((query) => afterAnswer(client, query, refetchType)),
    ...keys.map((queryKey) =>
      client.invalidateQueries({ queryKey, exact, refetchType }, { cancelRefetch: !running }),
    ),
  ])
}

/** Changes a query's data, if there is any. What was to be asked for again still is: TanStack Query takes new data for the answer. */
export function putData<Data>(client: QueryClient, queryKey: QueryKey, put: (data: Data) => Data): void {
  const query = client.getQueryCache().find({ queryKey })
  const isInvalidated = query?.state.isInvalidated
  client.setQueryData<Data>(queryKey, (data) => data && put(data))
  if (isInvalidated) query?.invalidate()
}

/**
 * Puts what an event says into a query's data, if there is any. An answer on its way may have been made before the event:
 * it is put into that as well, and that is followed by another. What couldn't be read is tried again.
 */
export function putEvent<Data>(client: QueryClient, queryKey: QueryKey, put: (data: Data) => Data): void {
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  const { fetchStatus, status } = query.state
  putData(client, queryKey, put)
  if (fetchStatus !== 'idle') void afterAnswer(client, query, 'active', () => putData(client, queryKey, put))
  else if (status === 'error') invalidate(client, [queryKey])
}

/** Invalidates a query once it has the answer that is on its way. Of several that wait for it, the first one asks for all. */
async function afterAnswer(
  client: QueryClient,
  query: Query,
  refetchType: 'active' | 'none',
  onAnswer?: () => void,
): Promise<void> {
  let type = refetchType
  const observers = [...query.observers]
  try {
    await query.promise
    onAnswer?.()
  } catch {
    // Given up for a newer one, which is made after all this; or it failed; or nobody waits for it anymore.
    if (query.state.fetchStatus !== 'idle') return
    // Given up under those who look at it; who looks only since then was shown what was there.
    if (query.state.status !== 'error' && query.observers.some((one) => observers.includes(one)))
      type = 'none'
  }
  await client.invalidateQueries(
    { queryKey: query.queryKey, exact: true, refetchType: type },
    { cancelRefetch: false },
  )
}

/** The failure doesn't say whether the call succeeded; a retry may work in a moment. */
function isTransient(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/**
 * The query cache. Only reads are retried, and only after temporary failures; not after a full time limit, because the
 * person has waited long enough.
 */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isTransient(error) && error.code !== 'too_slow',
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      // After the mutation's own `onSuccess`, which may have updated the cache.
      onSettled: (_data, error, _input, _context, { meta = {}, options: { mutationKey } }) => {
        const isDone = !error || isTransient(error)
        const { invalidates = [], outdates = [], forgets = [] } = isDone ? meta : {}
        const wrong = new Set([...invalidates, ...forgets, ...((error && meta.onFailure) || [])])
        for (const queryKey of forgets) client.removeQueries({ queryKey, type: 'inactive' })
        if (!mutationKey || client.isMutating({ mutationKey }) === 1) invalidate(client, [...wrong])
        invalidate(client, outdates, { refetchType: 'none' })
      },
    }),
  })
  return client
}

export const queryClient = createQueryClient()

const isPersonal = ({ meta }: Query) => meta?.keep !== 'browser'

/** Cancels what is being fetched for the logged-in person; `resume` refetches shown queries that have no data yet. */
export async function pausePersonal(client: QueryClient): Promise<{ resume: () => void }> {
  await client.cancelQueries({ predicate: isPersonal })
  const predicate = (query: Query) => isPersonal(query) && query.state.status === 'pending'
  return { resume: () => void client.invalidateQueries({ predicate }) }
}

/** Drops everything of the logged-in person, and refetches what is shown. */
export function resetPersonal(client: QueryClient): void {
  void client.resetQueries({ predicate: isPersonal })
}
