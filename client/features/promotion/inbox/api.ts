import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { inboxRoutes } from '../../../../contract/routes/promotion/inbox.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { readDraft, writeDraft } from './drafts.ts'

type InboxPage = Output<typeof inboxRoutes.inbox>
export type Thread = InboxPage['items'][number]
export type Reply = Thread['replies'][number]
export type InboxFilter = { search: string; removeContacted: boolean; ignored: boolean }

const own = [...roots.promotion, 'inbox'] as const
const threads = [...own, 'threads'] as const

/** How often new messages are asked for while somebody looks, in milliseconds; a long list less often. */
const POLL_MS = 30_000
const LONG_LIST_POLL_MS = 120_000
const LONG_LIST_PAGES = 4
/** How soon the answer is looked for of a reading that the last question began, and from what age on it begins one. */
const SOON_MS = 4_000
const OLD_MS = 60_000

/** When to ask again: soon where the server is reading the forum’s inbox at this moment. */
function nextPoll(pages: readonly InboxPage[]): number {
  const [first] = pages
  const { syncedAt = null, failure = null } = first ?? {}
  const isOld = syncedAt === null || serverNow().getTime() - Date.parse(syncedAt) > OLD_MS
  if (first && failure === null && isOld) return SOON_MS
  return pages.length > LONG_LIST_PAGES ? LONG_LIST_POLL_MS : POLL_MS
}

/** The threads that the filter leaves, the latest first. */
export function inboxQuery({ search, removeContacted, ignored }: InboxFilter, isConnected: boolean) {
  return infiniteQueryOptions({
    queryKey: [...threads, { search, removeContacted, ignored }],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...{ cursor: pageParam, search },
        ...{ removeContacted: removeContacted ? ('true' as const) : ('false' as const) },
        ...{ ignored: ignored ? ('true' as const) : ('false' as const) },
      }
      return call(routes.inbox, { query }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // Without an account there is nothing to wait for.
    refetchInterval: ({ state }) => isConnected && nextPoll(state.data?.pages ?? []),
  })
}

/** Has the forum asked for new messages now. */
export function useSync() {
  return useMutation({
    mutationFn: () => call(routes.syncInbox, {}),
    meta: { invalidates: [threads] },
  })
}

const named = ({ _id, author }: Thread) => ({ messageId: _id, redditUsername: author })

/** Hides a thread for a day, or shows it again. */
export function useSkip() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ thread, skip }: { thread: Thread; skip: boolean }) =>
      call(routes.skipMessage, { body: { ...named(thread), skip } }),
    onMutate: ({ thread, skip }) => (skip ? hide(client, ({ _id }) => _id === thread._id) : undefined),
    meta: { invalidates: [threads], onFailure: [threads] },
  })
}

/** Hides everything from an author, or shows it again. */
export function useIgnore() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ thread, ignore }: { thread: Thread; ignore: boolean }) =>
      call(routes.ignoreAuthor, { body: { ...named(thread), ignore } }),
    onMutate: ({ thread, ignore }) =>
      hide(client, ({ author, ignore: was }) => author === thread.author && was !== ignore),
    meta: { invalidates: [threads], onFailure: [threads] },
  })
}

/** Deletes a thread from the account’s inbox on the forum; it shows as deleted until the list is read again. */
export function useDeleteThread() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (thread: Thread) => call(routes.deleteForumThread, { body: { messageId: thread._id } }),
    onSuccess: async (_answer, { _id }) => {
      // An answer that is being read would remove it without a word.
      await client.cancelQueries({ queryKey: threads })
      change(client, (items) => items.map((item) => (item._id === _id ? { ...item, deleted: true } : item)))
    },
  })
}

/**
 * Answers a thread; the answer is shown before the forum’s own copy of it comes. `isSending` also while a form that is
 * gone by now sends.
 */
export function useReply(personId: string, thread: Thread) {
  const client = useQueryClient()
  const mutationKey = [...threads, 'reply', thread._id]
  const reply = useMutation({
    mutationKey,
    mutationFn: (messageText: string) =>
      call(routes.replyToMessage, { body: { ...named(thread), messageText } }),
    onSuccess: ({ reply, lastContact }, messageText) => {
      // Words that came meanwhile are another reply.
      if (readDraft(personId, thread._id) === messageText) writeDraft(personId, thread._id, '')
      change(client, (items) =>
        items.map((item) =>
          item._id === thread._id && !item.replies.some(({ id }) => id === reply.id)
            ? { ...item, lastContact, replies: [...item.replies, reply] }
            : item,
        ),
      )
    },
    // A refusal stands in the thread as well.
    meta: { onFailure: [threads] },
  })
  return { ...reply, isSending: useIsMutating({ mutationKey }) > 0 }
}

function change(client: QueryClient, changed: (items: Thread[]) => Thread[]): void {
  client.setQueriesData<InfiniteData<InboxPage>>(
    { queryKey: threads },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, items: changed(page.items) })),
      },
  )
}

/** Takes threads out of sight at once. What is read at this moment would bring them back. */
async function hide(client: QueryClient, isHidden: (thread: Thread) => boolean): Promise<void> {
  await client.cancelQueries({ queryKey: threads })
  change(client, (items) => items.filter((item) => !isHidden(item)))
}

/** The person’s saved replies, by title. */
export const savedRepliesQuery = queryOptions({
  queryKey: [...own, 'saved'],
  queryFn: ({ signal }) => call(routes.savedReplies, {}, { signal }),
})

export type SavedReply = Output<typeof inboxRoutes.savedReplies>['items'][number]
export const savedReplyChanges = { invalidates: [savedRepliesQuery.queryKey] }

export function useSaveReply() {
  return useMutation({
    mutationFn: (reply: { title: string; text: string }) => call(routes.saveReply, { body: reply }),
    meta: savedReplyChanges,
  })
}

export function useDeleteSavedReply() {
  return useMutation({
    mutationFn: (savedReplyId: string) => call(routes.deleteSavedReply, { body: { savedReplyId } }),
    meta: savedReplyChanges,
  })
}
