import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { invalidate, putData, putEvent, waitingKey } from '../../../lib/query.ts'
import type { ServerEvent } from '../../../lib/socket-opening.ts'
import { type ConversationsPage, chatQuery, keys, type ListedConversation } from '../api.ts'
import { unreadQuery } from '../parts/badge/UnreadBadge.tsx'
import { asRead, type Chat, type Conversation, newest, type Participant, withEvent } from './timeline.ts'

/** The other one of the two people. */
export function otherOf({ participants }: Pick<Conversation, 'participants'>, me: string): Participant {
  const other = participants.find(({ _id }) => _id !== me)
  if (!other) throw new Error('A conversation has another person.')
  return other
}

/** A message was sent, or changed: puts it and its conversation wherever they are shown. */
export function onMessage(
  client: QueryClient,
  me: string,
  { message, conversation, change }: ServerEvent<'chat message'> & { change: 'sent' | 'changed' },
): void {
  const { queryKey } = chatQuery(otherOf(conversation, me)._id)
  const { data: chat, status } = client.getQueryState(queryKey) ?? {}
  if (chat) {
    const hasFailed = status === 'error'
    const after = withEvent(chat, message, conversation)
    putData<Chat>(client, queryKey, () => after.chat)
    // An answer may let one write again; one's own message went through, though who hasn't answered still has to.
    const answered = chat.refusal && (message.senderId !== me || chat.refusal.code !== 'unanswered')
    if (after.missed || answered || hasFailed) askAgain(client, [queryKey])
  } else {
    // There is nothing to put it into, but the first answer may be on its way.
    putEvent<Chat>(client, queryKey, (now) => now)
  }
  putConversation(client, conversation, change === 'sent')
  if (message.customRequest) askAgain(client, [keys.customs, waitingKey])
  // Something of it was paid or given back; only the server says what was spent, and in which order that puts people.
  if (message.tip || message.customRequest || (message.price && change === 'changed'))
    askAgain(client, [keys.lists])
}

/** One of the two has read: puts how far wherever it is shown. */
export function onRead(client: QueryClient, me: string, { conversation }: ServerEvent<'markAsRead'>): void {
  putEvent<Chat>(client, chatQuery(otherOf(conversation, me)._id).queryKey, (chat) => ({
    ...chat,
    conversation: newest(chat.conversation, conversation),
  }))
  putConversation(client, conversation)
}

/** The other person of a conversation came or went. */
export function onPresence(client: QueryClient, { userId, online }: ServerEvent<'presence'>): void {
  const { queryKey } = chatQuery(userId)
  putEvent<Chat>(client, queryKey, (chat) => ({ ...chat, online }))
  // Who can be seen again, as in a region that was hidden from, can be written to again.
  if (online && client.getQueryData(queryKey)?.refusal?.code === 'recipient_unavailable')
    askAgain(client, [queryKey])
}

/** The person has read up to this message; shown before the server says so. */
export function readLocally(
  client: QueryClient,
  { me, recipientId, position }: { me: string; recipientId: string; position: number },
): void {
  const { queryKey } = chatQuery(recipientId)
  const chat = client.getQueryData(queryKey)
  if (!chat) return
  const conversation = asRead(chat, me, position)
  putData<Chat>(client, queryKey, () => ({ ...chat, conversation }))
  putConversation(client, conversation)
}

/** What an event makes wrong, without saying what is right now. */
function askAgain(client: QueryClient, keys: readonly QueryKey[]): void {
  invalidate(client, keys, { running: 'kept' })
}

const live = [keys.unread, keys.lists, keys.chats, keys.customs, waitingKey]

/** Several of the person's conversations changed: what is shown is asked for again, a conversation from the revision that is known. */
export function onChanged(client: QueryClient): void {
  askAgain(client, live)
}

/** The same after a cut, in which events may have been missed, and answers may never come. */
export function catchUp(client: QueryClient): void {
  invalidate(client, live)
}

type Pages = InfiniteData<ConversationsPage>
type Unread = { items: { _id: string }[] }

/** Puts a conversation into the lists and the badge; first, if a message was sent in it. */
function putConversation(client: QueryClient, conversation: Conversation, sent = false): void {
  for (const [queryKey] of client.getQueriesData<Pages>({ queryKey: keys.lists })) {
    const [, , filter, showing] = queryKey
    // Only the server knows whether it fits a search.
    if (filter !== '') askAgain(client, [queryKey])
    else
      putEvent<Pages>(client, queryKey, (list) =>
        listed(list, conversation, { showing: String(showing), sent }),
      )
  }
  putEvent<Unread>(client, unreadQuery.queryKey, (unread) => {
    const others = unread.items.filter(({ _id }) => _id !== conversation._id)
    const counts = conversation.unread > 0 && !conversation.muted
    if (!counts && others.length === unread.items.length) return unread
    return { items: counts ? [{ _id: conversation._id }, ...others] : others }
  })
}

/**
 * The list with this conversation: first, if a message was sent in it, else where it stands, if it does. That of spenders
 * stays in its order. In the list of unread ones a conversation that was read stays until the list is asked for again, so
 * that nothing moves under the finger.
 */
export function listed(
  list: Pages,
  conversation: Conversation,
  { showing, sent }: { showing: string; sent: boolean },
): Pages {
  const known = list.pages.flatMap(({ items }) => items).find(({ _id }) => _id === conversation._id)
  const moves = sent && showing !== 'spenders'
  if (!known && (!moves || (showing === 'unread' && conversation.unread === 0))) return list
  const now = {
    ...(known ? newest(known, conversation) : conversation),
    // Only the list says it, and is asked for again once that changes.
    spent: known?.spent ?? null,
  }
  const place = (items: readonly ListedConversation[], first: boolean) => {
    if (!moves) return items.map((one) => (one._id === now._id ? now : one))
    const others = items.filter(({ _id }) => _id !== now._id)
    return first ? [now, ...others] : others
  }
  return {
    ...list,
    pages: list.pages.map((page, index) => ({ ...page, items: place(page.items, index === 0) })),
  }
}
