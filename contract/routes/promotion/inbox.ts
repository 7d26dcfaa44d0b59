import { z } from 'zod'
import { INBOX_PAGE_SIZE, MAX_REPLY_LENGTH, MAX_SAVED_REPLIES } from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Money, Page, paragraph, QueryBoolean, Success } from '../../schemas.ts'

const LIMIT = { points: 600, seconds: 600 }
/** Replies are spoken to one person by one person; nobody writes more than that. */
const REPLY_LIMIT = { points: 60, seconds: 600 }

/** The thread of an inbox action, by its message, and its owner. */
const Named = z.object({
  messageId: Id,
  creatorId: Id.optional(),
  redditUsername: z.string().trim().min(1).max(50),
})

/** The author's account here, if they entered this forum name and agreed to be recognized. */
const RecognizedPerson = z.object({
  _id: Id,
  username: z.string(),
  follows: z.boolean(),
  subscribed: z.boolean(),
  /** The total that they paid this creator, less refunds. */
  spent: Money,
})

const Reply = z.object({
  id: z.string(),
  author: z.string(),
  body: z.string(),
  created_utc: z.number(),
  /** Whether the account itself wrote it. */
  own: z.boolean(),
  /** `sending`, `unknown` and `failed` are replies from here that the forum hasn’t shown yet. */
  state: z.enum(['sent', 'sending', 'unknown', 'failed']),
  /** Why it failed, for its person. */
  failure: z.string().nullable(),
})

/** A thread of private messages with one person, by its first message. */
const InboxMessage = z.object({
  _id: Id,
  /** The forum’s id of the first message. */
  id: z.string(),
  /** The name of the account that received it. */
  account: z.string(),
  author: z.string(),
  /** The author’s page on the forum; null without a forum. */
  authorUrl: z.string().nullable(),
  subject: z.string(),
  body: z.string(),
  /** Seconds since 1970. */
  created_utc: z.number(),
  /** Names of the subreddits that the author moderates, as far as the forum says. */
  moderates: z.array(z.string()),
  /** When the account last wrote to the author. */
  lastContact: Moment.nullable(),
  ignore: z.boolean(),
  /** Never of what is listed; once deleted, a thread shows as that until the list is read again. */
  deleted: z.boolean(),
  /** The forum’s listing doesn’t have it anymore. */
  outOfSync: z.boolean(),
  replies: z.array(Reply),
  person: RecognizedPerson.nullable(),
})

const SavedReply = z.object({
  _id: Id,
  title: line(80).pipe(z.string().min(1, 'Enter a title.')),
  text: paragraph(MAX_REPLY_LENGTH).pipe(z.string().min(1, 'Enter a reply.')),
})

export const inboxRoutes = {
  inbox: route({
    method: 'GET',
    path: '/reddit/redditchats',
    summary:
      'The private messages that the acting person’s forum accounts received, the latest first; what is ignored, skipped or deleted is left out.',
    access: 'user',
    self: 'creatorId',
    query: Page.extend({
      creatorId: Id.optional(),
      limit: Page.shape.limit.unwrap().default(INBOX_PAGE_SIZE),
      /** Part of the message, or of a reply. */
      search: z.string().trim().max(200).default(''),
      /** Leaves out people who were already written to. */
      removeContacted: QueryBoolean.default(false),
      /** Shows those who are ignored, instead of the others. */
      ignored: QueryBoolean.default(false),
    }),
    output: listOf(InboxMessage).extend({
      /** When the forum was last asked; null before the first time. */
      syncedAt: Moment.nullable(),
      /** Whether what is shown may be old: the forum doesn’t answer, or an account has to be connected again. */
      failure: z.enum(['unavailable', 'reconnect']).nullable(),
    }),
  }),
  inboxContact: route({
    method: 'GET',
    path: '/reddit/redditchat',
    summary: 'When the account last wrote to this author, and whether they are ignored.',
    access: 'user',
    self: 'creatorId',
    query: Named,
    output: z.object({
      lastContact: Moment.nullable(),
      ignore: z.boolean(),
      outOfSync: z.boolean(),
      person: RecognizedPerson.nullable(),
    }),
  }),
  syncInbox: route({
    method: 'POST',
    path: '/reddit/inbox/sync',
    summary: 'Asks the forum for new messages now, at most every half a minute.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: { points: 60, seconds: 600 },
    output: z.object({
      syncedAt: Moment.nullable(),
      /** From when on asking reads it again, where nothing was read now as that was done a moment ago; else null. */
      againAt: Moment.nullable(),
    }),
  }),
  skipMessage: route({
    method: 'POST',
    path: '/reddit/removefromcache',
    summary: 'Hides a thread until tomorrow, or until its author writes again; or shows it again.',
    access: 'creator',
    self: 'creatorId',
    rateLimit: LIMIT,
    body: Named.extend({ skip: z.boolean().default(true) }),
    output: Success,
  }),
  ignoreAuthor: route({
    method: 'POST',
    path: '/reddit/ignorechat',
    summary: 'Hides everything from an author, or shows it again.',
    access: 'creator',
    self: 'creatorId',
    rateLimit: LIMIT,
    body: Named.extend({ ignore: z.boolean().default(true) }),
    output: Success,
  }),
  deleteForumThread: route({
    method: 'POST',
    path: '/reddit/deletemessage',
    summary: 'Deletes a thread’s messages from the account’s inbox on the forum, and here.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({ messageId: Id }),
    output: Success,
  }),
  replyToMessage: route({
    method: 'POST',
    path: '/reddit/sendredditreply',
    summary: 'Answers a thread on the forum, as the account that received it.',
    access: 'creator',
    self: 'creatorId',
    transaction: 'manual',
    rateLimit: REPLY_LIMIT,
    body: Named.extend({
      messageText: paragraph(MAX_REPLY_LENGTH).pipe(z.string().min(1, 'Write a reply.')),
    }),
    output: z.object({ reply: Reply, lastContact: Moment.nullable() }),
  }),
  savedReplies: route({
    method: 'GET',
    path: '/reddit/savedreplies',
    summary: 'The acting person’s saved replies, by title.',
    access: 'user',
    output: z.object({ items: z.array(SavedReply) }),
  }),
  saveReply: route({
    method: 'POST',
    path: '/reddit/savedreplies/save',
    summary: `Saves a reply to be used again, or changes one; at most ${MAX_SAVED_REPLIES}.`,
    access: 'creator',
    rateLimit: LIMIT,
    body: SavedReply.extend({ _id: Id.optional() }),
    output: SavedReply,
  }),
  deleteSavedReply: route({
    method: 'POST',
    path: '/reddit/savedreplies/delete',
    summary: 'Deletes a saved reply.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ savedReplyId: Id }),
    output: Success,
  }),
}
