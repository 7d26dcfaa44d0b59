import { type CommentRow, commentThing } from './comments.ts'
import { postingWait, waitRefusal } from './limits.ts'
import { findPost, removalOf } from './posts.ts'
import { ensureAccount, type Forum, findAccount, readSetting } from './store.ts'
import {
  type Answer,
  bodyHtml,
  created,
  done,
  failure,
  fullname,
  id36,
  isTrue,
  listing,
  ok,
  refused,
  rowOf,
  type Thing,
  type UserCall,
  wholeListing,
} from './wire.ts'

/** `parent` and `root` are fullnames. Times are milliseconds. */
export type MessageRow = {
  id: number
  sender: string
  recipient: string
  subject: string
  body: string
  parent: string | null
  root: string | null
  createdAt: number
  readAt: number | null
  senderHid: number
  recipientHid: number
}

/** The t4 with all its 25 keys. */
export function messageThing(forum: Forum, row: MessageRow, viewer: string, replies: Thing[] = []): Thing {
  const root = rowOf('t4', row.root ?? undefined)
  return {
    kind: 't4',
    data: {
      id: id36(row.id),
      name: fullname('t4', row.id),
      author: row.sender,
      author_fullname: fullname('t2', ensureAccount(forum, row.sender).id),
      subject: row.subject,
      body: row.body,
      body_html: bodyHtml(row.body),
      dest: row.recipient,
      subreddit: null,
      subreddit_name_prefixed: null,
      parent_id: row.parent,
      first_message: row.root === null || root === null ? null : Number.parseInt(id36(root), 36),
      first_message_name: row.root,
      new: row.readAt === null && row.recipient === viewer,
      type: 'unknown',
      was_comment: false,
      context: '',
      distinguished: null,
      score: 0,
      likes: null,
      num_comments: null,
      associated_awarding_id: null,
      ...created(row.createdAt),
      replies: replies.length === 0 ? '' : wholeListing(replies),
    },
  }
}

type Dated = { at: number; isNew: boolean; thing: Thing }

function receivedMessages(forum: Forum, account: string): Dated[] {
  const rows = forum.db
    .prepare('select * from messages where recipient = ? and recipientHid = 0 order by id desc limit 1000')
    .all(account) as MessageRow[]
  return rows.map((row) => ({
    at: row.createdAt,
    isNew: row.readAt === null,
    thing: messageThing(forum, row, account),
  }))
}

function receivedComments(forum: Forum, account: string): Dated[] {
  const rows = forum.db
    .prepare(
      'select comments.*, type, readAt from inboxComments join comments on comments.id = comment where recipient = ? order by id desc limit 1000',
    )
    .all(account) as (CommentRow & { type: string; readAt: number | null })[]
  return rows.map((row) => {
    const thing = commentThing(forum, row)
    const more = {
      was_comment: true,
      type: row.type,
      subject: row.type === 'post_reply' ? 'post reply' : 'comment reply',
      dest: account,
      new: row.readAt === null,
      num_comments: 1,
      context: `${String(thing.data.permalink)}?context=3`,
    }
    return {
      at: row.createdAt,
      isNew: row.readAt === null,
      thing: { kind: 't1', data: { ...thing.data, ...more } },
    }
  })
}

/** The flat boxes; `where` of the path says which. */
export function box(call: UserCall): Answer {
  const { forum, account, fields, params } = call
  const where = params.where
  if (where === 'sent') return listing(sent(call), fields)
  const isOnlyComments = where === 'comments' || where === 'selfreply' || where === 'mentions'
  if (!isOnlyComments && where !== 'inbox' && where !== 'unread') return failure(404)
  const types = { selfreply: 'post_reply', mentions: 'username_mention' }
  const items = [
    ...(isOnlyComments ? [] : receivedMessages(forum, account.name)),
    ...receivedComments(forum, account.name).filter(
      ({ thing }) => (where !== 'selfreply' && where !== 'mentions') || thing.data.type === types[where],
    ),
  ].sort((one, other) => other.at - one.at)
  const shown = where === 'unread' ? items.filter(({ isNew }) => isNew) : items
  const answer = listing(
    shown.map(({ thing }) => thing),
    fields,
  )
  if (where === 'unread' && isTrue(fields.mark)) readAll(call)
  return answer
}

function sent({ forum, account }: UserCall): Thing[] {
  const rows = forum.db
    .prepare('select * from messages where sender = ? and senderHid = 0 order by id desc limit 1000')
    .all(account.name) as MessageRow[]
  return rows.map((row) => messageThing(forum, row, account.name))
}

/** Private messages as threads, or one thread when the path names a message of it. */
export function threads(call: UserCall): Answer {
  const { forum, account, fields, params } = call
  if (readSetting(forum, 'messagesMoved') === 'on')
    return { status: 302, body: undefined, headers: { location: 'https://www.reddit.com/login/' } }
  const rows = forum.db
    .prepare(
      'select * from messages where (recipient = ? and recipientHid = 0) or (sender = ? and senderHid = 0) order by id',
    )
    .all(account.name, account.name) as MessageRow[]
  const byRoot = Map.groupBy(rows, (row) => row.root ?? fullname('t4', row.id))
  const latestFirst = [...byRoot.entries()].sort(
    ([, one], [, other]) => (other.at(-1)?.id ?? 0) - (one.at(-1)?.id ?? 0),
  )
  const things = latestFirst.flatMap(([, [root, ...later]]) =>
    root
      ? [
          messageThing(
            forum,
            root,
            account.name,
            later.map((row) => messageThing(forum, row, account.name)),
          ),
        ]
      : [],
  )
  if (params.id === undefined) return listing(things, fields, { repeatsCursor: true })
  const wanted = rows.find(({ id }) => id === rowOf('t4', params.id))
  const root = wanted && (wanted.root ?? fullname('t4', wanted.id))
  const at = latestFirst.findIndex(([name]) => name === root)
  const thread = things[at]
  return thread ? ok(wholeListing([thread])) : failure(403)
}

/** A new message; with a parent it belongs to that one's thread. What the recipient has blocked isn't delivered. */
export function writeMessage(
  forum: Forum,
  message: {
    sender: string
    recipient: string
    subject: string
    body: string
    parent?: Pick<MessageRow, 'id' | 'root'>
    root?: string
  },
): MessageRow {
  const { sender, recipient, subject, body, parent } = message
  const root = message.root ?? (parent ? (parent.root ?? fullname('t4', parent.id)) : null)
  const { lastInsertRowid } = forum.db
    .prepare(
      'insert into messages (sender, recipient, subject, body, parent, root, createdAt, recipientHid) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      ...[sender, recipient, subject, body, parent ? fullname('t4', parent.id) : null, root],
      ...[forum.now().getTime(), isBlocked(forum, recipient, sender) ? 1 : 0],
    )
  return forum.db.prepare('select * from messages where id = ?').get(lastInsertRowid) as MessageRow
}

function isBlocked({ db }: Forum, account: string, blocked: string): boolean {
  return (
    db.prepare('select 1 from blocks where account = ? and blocked = ?').get(account, blocked) !== undefined
  )
}

/** `POST /api/comment`: a reply to a message, or a comment on a post or comment. */
export function reply(call: UserCall): Answer {
  const { fields, account } = call
  const parent = fields.thing_id ?? fields.parent ?? ''
  const text = (fields.text ?? '').trim()
  if (text === '') return refused([['NO_TEXT', 'We need something here.', 'text']])
  if (text.length > 10_000) return refused([['TOO_LONG', 'This is too long (max: 10000).', 'text']])
  if (account.suspended) return refused([['IN_TIMEOUT', 'This account is suspended.', null]])
  return parent.startsWith('t4_') ? replyToMessage(call, parent, text) : commentOn(call, parent, text)
}

/** The value that replaces a reply's id since the forum moved messages to chat. */
const PLACEHOLDER_ID = 'z'.repeat(12)

function replyToMessage({ forum, account }: UserCall, parent: string, body: string): Answer {
  const row = forum.db.prepare('select * from messages where id = ?').get(rowOf('t4', parent)) as
    | MessageRow
    | undefined
  if (!row || (row.recipient !== account.name && row.sender !== account.name)) return failure(403)
  const recipient = row.sender === account.name ? row.recipient : row.sender
  if (isBlocked(forum, recipient, account.name))
    return refused([['USER_BLOCKED', 'You can’t reply to this user.', 'parent']])
  const subject = row.subject.startsWith('re: ') ? row.subject : `re: ${row.subject}`
  const written = writeMessage(forum, { sender: account.name, recipient, subject, body, parent: row })
  const { data } = messageThing(forum, written, account.name)
  const isPlaceholder = readSetting(forum, 'placeholderReplies') === 'on'
  const shown = isPlaceholder
    ? { ...data, id: PLACEHOLDER_ID, name: `t4_${PLACEHOLDER_ID}`, dest: account.name }
    : data
  return done({ things: [{ kind: 't4', data: shown }] })
}

function commentOn(call: UserCall, parent: string, body: string): Answer {
  const { forum, account } = call
  const above = parent.startsWith('t1_')
    ? (forum.db.prepare('select * from comments where id = ?').get(rowOf('t1', parent)) as
        | CommentRow
        | undefined)
    : undefined
  const post = findPost(forum, above ? above.post : parent.startsWith('t3_') ? rowOf('t3', parent) : null)
  if (!post) return failure(403)
  if (above && above.deletedAt !== null)
    return refused([['DELETED_COMMENT', 'That comment has been deleted.', 'parent']])
  if (removalOf(post, forum.now()) === 'deleted')
    return refused([['DELETED_LINK', 'That post has been deleted.', 'parent']])
  const wait = postingWait(forum, account)
  if (wait > 0) return waitRefusal(wait)
  const row = writeComment(forum, { parent, post: post.id, author: account.name, body })
  forum.db.prepare('update accounts set lastPostAt = ? where id = ?').run(row.createdAt, account.id)
  return done({ things: [commentThing(forum, row)] })
}

/** A comment, which reaches the inbox of the author above it. */
export function writeComment(
  forum: Forum,
  comment: { parent: string; post: number; author: string; body: string },
): CommentRow {
  const { parent, post, author, body } = comment
  const { lastInsertRowid } = forum.db
    .prepare('insert into comments (parent, post, author, body, createdAt) values (?, ?, ?, ?, ?)')
    .run(parent, post, author, body, forum.now().getTime())
  const isOnPost = parent.startsWith('t3_')
  const above = forum.db
    .prepare(`select author from ${isOnPost ? 'posts' : 'comments'} where id = ?`)
    .get(rowOf(isOnPost ? 't3' : 't1', parent)) as { author: string } | undefined
  if (above && above.author !== author && !isBlocked(forum, above.author, author))
    forum.db
      .prepare('insert into inboxComments (comment, recipient, type) values (?, ?, ?)')
      .run(lastInsertRowid, above.author, isOnPost ? 'post_reply' : 'comment_reply')
  return forum.db.prepare('select * from comments where id = ?').get(lastInsertRowid) as CommentRow
}

/** Hides a message on the caller's side alone; says the same for any id. */
export function delMessage({ forum, fields, account }: UserCall): Answer {
  const id = rowOf('t4', fields.id)
  forum.db
    .prepare('update messages set recipientHid = 1 where id = ? and recipient = ?')
    .run(id, account.name)
  forum.db.prepare('update messages set senderHid = 1 where id = ? and sender = ?').run(id, account.name)
  return ok({})
}

/** Blocks the author of something in the caller's inbox. */
export function block({ forum, fields, account }: UserCall): Answer {
  const name = fields.id ?? ''
  if (name.startsWith('t2_')) return failure(500)
  const message = forum.db
    .prepare('select sender as author from messages where id = ? and recipient = ?')
    .get(name.startsWith('t4_') ? rowOf('t4', name) : null, account.name)
  const comment = forum.db
    .prepare('select author from comments join inboxComments on comment = id where id = ? and recipient = ?')
    .get(name.startsWith('t1_') ? rowOf('t1', name) : null, account.name)
  const found = (message ?? comment) as { author: string } | undefined
  if (!found) return failure(403)
  forum.db.prepare('insert into blocks values (?, ?) on conflict do nothing').run(account.name, found.author)
  return ok({})
}

function mark({ forum, fields, account }: UserCall, readAt: number | null): Answer {
  if (!fields.id) return failure(400)
  for (const name of fields.id.split(',').map((id) => id.trim())) {
    const isMessage = name.startsWith('t4_')
    const [table, key] = isMessage ? ['messages', 'id'] : ['inboxComments', 'comment']
    forum.db
      .prepare(`update ${table} set readAt = ? where ${key} = ? and recipient = ?`)
      .run(readAt, rowOf(isMessage ? 't4' : 't1', name), account.name)
  }
  return ok({})
}

export const readMessage = (call: UserCall): Answer => mark(call, call.forum.now().getTime())
export const unreadMessage = (call: UserCall): Answer => mark(call, null)

export function readAll({ forum, account }: UserCall): Answer {
  for (const table of ['messages', 'inboxComments'])
    forum.db
      .prepare(`update ${table} set readAt = ? where recipient = ? and readAt is null`)
      .run(forum.now().getTime(), account.name)
  return { status: 202, body: {} }
}

/** `POST /api/compose`: a new conversation. */
export function compose({ forum, fields, account }: UserCall): Answer {
  const to = (fields.to ?? '').replace(/^\/?u\//, '')
  const [subject, body] = [(fields.subject ?? '').trim(), (fields.text ?? '').trim()]
  if (to === '') return refused([['NO_USER', 'Please enter a username.', 'to']])
  const recipient = findAccount(forum, to)
  if (!recipient) return refused([['USER_DOESNT_EXIST', 'That user doesn’t exist.', 'to']])
  if (subject === '') return refused([['NO_SUBJECT', 'Please enter a subject.', 'subject']])
  if (subject.length > 100) return refused([['TOO_LONG', 'This is too long (max: 100).', 'subject']])
  if (body === '') return refused([['NO_TEXT', 'We need something here.', 'text']])
  if (body.length > 10_000) return refused([['TOO_LONG', 'This is too long (max: 10000).', 'text']])
  if (isBlocked(forum, recipient.name, account.name))
    return refused([['NOT_WHITELISTED_BY_USER_MESSAGE', 'You can’t message this user.', 'to']])
  writeMessage(forum, { sender: account.name, recipient: recipient.name, subject, body })
  return done()
}
