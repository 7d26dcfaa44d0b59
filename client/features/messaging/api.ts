import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { MAX_MESSAGES_PER_PAGE } from '../../../contract/constants.ts'
import type { Input, Output } from '../../../contract/route.ts'
import type { conversationRoutes } from '../../../contract/routes/messaging/conversations.ts'
import type { messageRoutes } from '../../../contract/routes/messaging/messages.ts'
import type { chatSettingsRoutes } from '../../../contract/routes/messaging/settings.ts'
import { call } from '../../lib/api.ts'
import { chatsKey, invalidate, putData, putEvent, roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'
import { listQuery } from '../media/api.ts'
import {
  type Chat,
  caughtUp,
  type Message,
  opened,
  openedAt,
  withMessage,
  withNewer,
  withOlder,
} from './cache/timeline.ts'
import { unreadQuery } from './parts/badge/UnreadBadge.tsx'

export type ConversationsPage = Output<typeof conversationRoutes.conversations> & {
  items: Output<typeof conversationRoutes.conversations>['conversations']
}
export type ListedConversation = ConversationsPage['items'][number]
/** Which conversations are listed. */
export type ConversationsFilter = { filter: string; showing: 'all' | 'unread' | 'spenders' }
export type ChatSettings = Output<typeof chatSettingsRoutes.chatSettings>

/** Under what the cache keeps conversations and their messages. */
export const keys = {
  unread: unreadQuery.queryKey,
  lists: [...roots.messaging, 'conversations'],
  chats: chatsKey,
  settings: [...roots.messaging, 'settings'],
  customs: [...roots.messaging, 'customs'],
} as const

/** The person's conversations: the newest, or who spent most with them, first. */
export function conversationsQuery({ filter, showing }: ConversationsFilter) {
  return infiniteQueryOptions({
    queryKey: [...keys.lists, filter, showing],
    queryFn: async ({ pageParam, signal }): Promise<ConversationsPage> => {
      const page = await call(
        routes.conversations,
        { query: { limit: 30, filter, showing, cursor: pageParam } },
        { signal },
      )
      return { ...page, items: page.conversations }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The conversation with somebody, from what is unread on. Asked again, it brings only what changed, and leaves the messages where they are. */
export function chatQuery(recipientId: string) {
  const queryKey = [...keys.chats, recipientId]
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Chat> => {
      // Events and other answers may have arrived meanwhile.
      const known = () => client.getQueryData<Chat>(queryKey)
      const open = async () => {
        const query = { recipientId, from: 'unread' as const }
        const chat = opened(await call(routes.messages, { query }, { signal }))
        const now = known()
        return now && now.revision > chat.revision ? now : chat
      }
      const before = known()
      if (!before) return open()
      const query = { recipientId, limit: MAX_MESSAGES_PER_PAGE, since: before.revision }
      const answer = await call(routes.messages, { query }, { signal })
      return answer.hasMore ? open() : caughtUp(known() ?? before, answer)
    },
    staleTime: 60_000,
    gcTime: 1_800_000,
  })
}

/** Puts an answer into the cache. If more was known before than when it was made, what it lacks is asked for. */
function putAnswer(
  client: QueryClient,
  recipientId: string,
  put: (chat: Chat | undefined) => Chat | undefined,
): void {
  const { queryKey } = chatQuery(recipientId)
  const { data: before, isInvalidated } = client.getQueryState(queryKey) ?? {}
  const after = client.setQueryData(queryKey, put)
  if (before && after && after.revision < before.revision) invalidate(client, [queryKey])
  else if (isInvalidated) invalidate(client, [queryKey], { refetchType: 'none' })
}

/** Puts what follows at one end of the messages that are loaded, unless others took their place meanwhile. */
async function extend(client: QueryClient, recipientId: string, end: 0 | -1): Promise<void> {
  const known = client.getQueryData(chatQuery(recipientId).queryKey)
  const position = known?.messages.at(end)?.position
  if (position === undefined) return
  const place = end ? { after: position } : { before: position }
  const answer = await call(routes.messages, { query: { recipientId, ...place } })
  const put = end ? withNewer : withOlder
  putAnswer(client, recipientId, (chat) =>
    chat && chat.stretch === known?.stretch ? put(chat, answer) : chat,
  )
}

/** Puts messages before those that are loaded. */
export const loadOlder = (client: QueryClient, recipientId: string) => extend(client, recipientId, 0)

/** Puts messages after those that are loaded, after a jump into the past. */
export const loadNewer = (client: QueryClient, recipientId: string) => extend(client, recipientId, -1)

let jumps = 0

/**
 * Puts others in the place of the loaded messages, unless another jump came meanwhile, or somebody else logged in, whose
 * conversation is another one; answers their stretch.
 */
async function jump(client: QueryClient, recipientId: string, load: () => Promise<Chat>): Promise<number> {
  const own = ++jumps
  const chat = await load()
  const isSame = (now: Chat | undefined) => now?.conversation._id === chat.conversation._id
  if (own === jumps) putAnswer(client, recipientId, (now) => (isSame(now) ? chat : now))
  return chat.stretch
}

/** Loads the messages around a place in the past instead of those that are loaded. */
export function loadAround(client: QueryClient, recipientId: string, position: number): Promise<number> {
  const read = (place: object) => call(routes.messages, { query: { recipientId, ...place } })
  return jump(client, recipientId, async () =>
    openedAt(...(await Promise.all([read({ before: position + 1 }), read({ after: position })]))),
  )
}

/** Reads a message again, named by its id or its custom request's: what it holds may have changed without the message. */
export async function rereadMessage(client: QueryClient, recipientId: string, id: string): Promise<void> {
  const { queryKey } = chatQuery(recipientId)
  const known = client
    .getQueryData(queryKey)
    ?.messages.find(({ _id, customRequest }) => _id === id || customRequest?._id === id)
  if (!known) return
  const query = { recipientId, before: known.position + 1, limit: 1 }
  const { messages } = await call(routes.messages, { query })
  putData<Chat>(client, queryKey, (chat) => messages.reduce(withMessage, chat))
}

/** Loads the newest messages instead of those that are loaded; answers the number of their stretch. */
export const loadNewest = (client: QueryClient, recipientId: string) =>
  jump(client, recipientId, async () => opened(await call(routes.messages, { query: { recipientId } })))

/** Loads the messages around the first unread one instead of those that are loaded. */
export const loadUnread = (client: QueryClient, recipientId: string) =>
  jump(client, recipientId, async () =>
    opened(await call(routes.messages, { query: { recipientId, from: 'unread' } })),
  )

/** The messages of a conversation that contain a text, newest first. */
export function searchQuery(recipientId: string, filter: string) {
  return infiniteQueryOptions({
    queryKey: [...roots.messaging, 'search', recipientId, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.searchMessages,
        { query: { recipientId, filter, ...(pageParam === undefined ? {} : { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.searchedTo ?? undefined,
    enabled: filter !== '',
  })
}

/** A change of one message: the answer takes its place at once, here as in every other window by its event. */
function useMessageChange<Change>(recipientId: string, change: (input: Change) => Promise<Message>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (message) =>
      putData<Chat>(client, chatQuery(recipientId).queryKey, (chat) => withMessage(chat, message)),
    meta: { outdates: [keys.lists] },
  })
}

export function useEditMessage(recipientId: string) {
  return useMessageChange(recipientId, (body: { messageId: string; content: string }) =>
    call(routes.editMessage, { body }),
  )
}

export function useDeleteMessage(recipientId: string) {
  return useMessageChange(recipientId, (messageId: string) =>
    call(routes.deleteMessage, { body: { messageId } }),
  )
}

export type Emoji = NonNullable<Input<typeof messageRoutes.reactToMessage>['body']['emoji']>

export function useReactToMessage(recipientId: string) {
  return useMessageChange(recipientId, (body: { messageId: string; emoji: Emoji | null }) =>
    call(routes.reactToMessage, { body }),
  )
}

/** Mutes a conversation, or unmutes it. */
export function useMute(recipientId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (muted: boolean) => call(routes.muteConversation, { body: { recipientId, muted } }),
    onSuccess: (_answer, muted) =>
      putEvent<Chat>(client, chatQuery(recipientId).queryKey, (chat) => ({
        ...chat,
        conversation: { ...chat.conversation, muted },
      })),
    meta: { invalidates: [keys.lists, keys.unread] },
  })
}

/** The people who may write to the creator, and the welcome for new subscribers. */
export const chatSettingsQuery = queryOptions({
  queryKey: keys.settings,
  queryFn: ({ signal }) => call(routes.chatSettings, {}, { signal }),
})

/** The creator's library, to attach from. */
export function attachableQuery(search: string) {
  return listQuery(['attachable', search], (cursor, signal) =>
    call(
      routes.manageMedia,
      { query: { limit: 30, tagIds: [], cursor, ...(search ? { search } : {}) } },
      { signal },
    ),
  )
}
