import { MutationCache, type Query, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Belongs to the browser rather than to who is logged in: outlives a login and a log-out. */
      keep?: 'browser'
    }
    mutationMeta: {
      /** What the change makes wrong: asked for again at once where it is shown. Nobody waits for it. */
      invalidates?: readonly QueryKey[]
      /** The same, asked for when it is next looked at, so that nothing moves under the eyes. */
      outdates?: readonly QueryKey[]
      /** What must not be seen again even for a moment: dropped where it is not shown, else asked for again. */
      forgets?: readonly QueryKey[]
    }
  }
}

/** The one key under which each domain keeps what the server said of it. */
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

/** Lists of media that grow page by page, and of them what those published whom one follows: a follow changes it. */
export const mediaListsKey = [...roots.media, 'lists', 'paged'] as const
export const newMediaKey = [...mediaListsKey, 'new'] as const

/** Chats by the other person: a follow or a purchase may open one for messages. */
export const chatsKey = [...roots.messaging, 'chat'] as const

/** Asks again for everything below these keys: what is shown at once, the rest when it is next looked at. */
export function invalidate(client: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey })
}

/** The failure says nothing of whether it was done: the same may work in a moment. */
function isTransient(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/**
 * One cache of what the server said. Only failures that may pass are tried again, and only for reading; not what took
 * its whole time limit, after which somebody has waited long enough.
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
      // After the mutation's own `onSuccess`, which may have put the answer into the cache.
      onSettled: (_data, error, _input, _context, { meta }) => {
        if (!meta || (error && !isTransient(error))) return
        const { invalidates = [], outdates = [], forgets = [] } = meta
        for (const queryKey of forgets) client.removeQueries({ queryKey, type: 'inactive' })
        invalidate(client, [...invalidates, ...forgets])
        for (const queryKey of outdates) void client.invalidateQueries({ queryKey, refetchType: 'none' })
      },
    }),
  })
  return client
}

export const queryClient = createQueryClient()

const isPersonal = ({ meta }: Query) => meta?.keep !== 'browser'

/** Gives up what is asked for as who is logged in; `resume` asks again for what is shown and has no answer yet. */
export async function pausePersonal(client: QueryClient): Promise<{ resume: () => void }> {
  await client.cancelQueries({ predicate: isPersonal })
  const predicate = (query: Query) => isPersonal(query) && query.state.status === 'pending'
  return { resume: () => void client.invalidateQueries({ predicate }) }
}

/** Drops everything that belongs to who was logged in, and asks for what is shown again. */
export function resetPersonal(client: QueryClient): void {
  void client.resetQueries({ predicate: isPersonal })
}
