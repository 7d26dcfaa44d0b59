import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  AccountChange,
  Comment,
  FaultPlan,
  Limits,
  Message,
  name,
  Removal,
  RequirementsChange,
  SubredditChange,
  whole,
} from './admin-bodies.ts'
import { clearFaults, planFault, plannedFaults } from './faults.ts'
import { writeComment, writeMessage } from './messages.ts'
import { findPost, type PostRow, removalOf, scoreOf } from './posts.ts'
import {
  type AccountRow,
  allSubreddits,
  ensureAccount,
  type Forum,
  findAccount,
  findSubreddit,
  inTransaction,
  readSetting,
  saveSubreddit,
  settingNames,
  writeSetting,
} from './store.ts'
import { fullname, rowOf } from './wire.ts'

const DAY_MS = 86_400_000

class AdminError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, text: string) {
    super(text)
    this.statusCode = statusCode
  }
}

const RELATIONS = [
  ['bannedIn', 'banned'],
  ['moderates', 'moderator'],
  ['contributesTo', 'contributor'],
  ['subscribes', 'subscriber'],
] as const

/** Calls that the real forum lacks: everybody's accounts and posts, acting as a moderator, limits and faults. */
export function mountAdmin(app: FastifyInstance, forum: Forum): void {
  app.register(
    async (admin) => {
      admin.setErrorHandler((error: Error, _request, reply) => {
        const status =
          error instanceof z.ZodError ? 400 : error instanceof AdminError ? error.statusCode : 500
        const sentence = error instanceof z.ZodError ? z.prettifyError(error) : error.message
        return reply.code(status).send({ error: status === 500 ? 'The sandbox failed.' : sentence })
      })
      const act = (path: string, run: (params: Record<string, string>, body: unknown) => unknown) =>
        admin.post(path, async (request, reply) => {
          const params = request.params as Record<string, string>
          const result = inTransaction(forum, () => run(params, parse(request)))
          return done(request, reply, result)
        })

      admin.get('/accounts', async () => ({ items: accounts(forum).map(presentAccount(forum)) }))
      act('/accounts/:name', (params, body) => {
        const account = ensureAccount(forum, name.parse(params.name))
        changeAccount(forum, account, AccountChange.parse(body))
        return presentAccount(forum)(ensureAccount(forum, account.name))
      })
      act('/tokens/:action', ({ action }, body) =>
        endTokens(forum, z.object({ account: name }).parse(body).account, action),
      )

      admin.get('/subreddits', async () => ({ items: allSubreddits(forum) }))
      admin.get('/subreddits/:name', async (request) => subredditOf(forum, request.params))
      act('/subreddits/:name', (params, body) => changeSubreddit(forum, params, body))

      admin.get('/posts', async (request) => {
        const { limit } = z
          .object({ limit: z.coerce.number().int().min(1).default(LATEST) })
          .parse(request.query)
        return { items: latestPosts(forum, limit).map(presentPost(forum)) }
      })
      act('/posts/:id/:action', ({ id, action }, body) => {
        const row = findPost(forum, rowOf('t3', id))
        if (!row) throw new AdminError(404, 'There is no such post.')
        moderate(forum, row, action, body)
        return presentPost(forum)(findPost(forum, row.id) ?? row)
      })

      act('/messages', (_params, body) => sendMessage(forum, Message.parse(body)))
      act('/comments', (_params, body) => comment(forum, Comment.parse(body)))

      admin.get('/limits', async () => limits(forum))
      act('/limits', (_params, body) => {
        for (const [key, value] of Object.entries(Limits.parse(body))) {
          const setting = settingNames.find((known) => known === key)
          if (setting && value !== undefined) writeSetting(forum, setting, String(value))
        }
        return limits(forum)
      })

      admin.get('/faults', async () => ({ items: plannedFaults(forum) }))
      act('/faults', (_params, body) => {
        planFault(forum, FaultPlan.parse(body))
        return { items: plannedFaults(forum) }
      })
      const clear = () => {
        clearFaults(forum)
        return { items: [] }
      }
      admin.delete('/faults', async () => clear())
      act('/faults/clear', clear)

      admin.get('/requests', async (request) => requests(forum, request.query as Record<string, string>))
      admin.delete('/requests', async () => {
        forum.db.exec('delete from requests')
        return { count: 0, items: [] }
      })
    },
    { prefix: '/admin' },
  )
}

const isForm = (request: FastifyRequest): boolean =>
  (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')

/** Forms of the sandbox's pages name the page to come back to. */
function done(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
  if (!isForm(request)) return result
  const page = (request.query as Record<string, string>).page ?? ''
  const prefix = request.url.replace(/\/admin\/.*$/, '')
  return reply.redirect(`${prefix}/${/^[a-z]*$/.test(page) ? page : ''}`, 303)
}

function parse(request: FastifyRequest): unknown {
  const body = typeof request.body === 'string' ? request.body : ''
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(body))
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new AdminError(400, 'The body isn’t JSON.')
  }
}

export function accounts({ db }: Forum): AccountRow[] {
  return db.prepare('select * from accounts order by name').all() as AccountRow[]
}

const presentAccount = (forum: Forum) => (account: AccountRow) => {
  const of = (kind: string) =>
    forum.db
      .prepare('select subreddit from relations where account = ? and kind = ? order by subreddit')
      .all(account.name, kind)
      .map(({ subreddit }) => String(subreddit))
  return {
    name: account.name,
    linkKarma: account.linkKarma,
    commentKarma: account.commentKarma,
    ageDays: (forum.now().getTime() - account.createdAt) / DAY_MS,
    suspended: account.suspended === 1,
    ...Object.fromEntries(RELATIONS.map(([key, kind]) => [key, of(kind)])),
  }
}

function changeAccount(forum: Forum, account: AccountRow, change: z.output<typeof AccountChange>): void {
  const { db } = forum
  const createdAt =
    change.ageDays === undefined
      ? account.createdAt
      : Math.round(forum.now().getTime() - change.ageDays * DAY_MS)
  db.prepare(
    'update accounts set linkKarma = ?, commentKarma = ?, createdAt = ?, suspended = ? where id = ?',
  ).run(
    ...[change.linkKarma ?? account.linkKarma, change.commentKarma ?? account.commentKarma, createdAt],
    ...[change.suspended === undefined ? account.suspended : change.suspended ? 1 : 0, account.id],
  )
  for (const [key, kind] of RELATIONS) {
    const subreddits = change[key]
    if (subreddits === undefined) continue
    db.prepare('delete from relations where account = ? and kind = ?').run(account.name, kind)
    for (const subreddit of subreddits)
      db.prepare('insert into relations values (?, ?, ?) on conflict do nothing').run(
        account.name,
        subreddit,
        kind,
      )
  }
}

/** `revoke` ends all tokens of an account, `expire` its access tokens alone. */
function endTokens(forum: Forum, wanted: string, action: string | undefined): object {
  const account = findAccount(forum, wanted)
  if (!account) throw new AdminError(404, 'There is no such account.')
  if (action !== 'revoke' && action !== 'expire') throw new AdminError(404, 'There is no such action.')
  forum.db.prepare('delete from accessTokens where account = ?').run(account.name)
  if (action === 'revoke')
    forum.db
      .prepare('update grants set revokedAt = ? where account = ? and revokedAt is null')
      .run(forum.now().getTime(), account.name)
  return { name: account.name }
}

function subredditOf(forum: Forum, params: unknown) {
  const subreddit = findSubreddit(forum, (params as { name: string }).name)
  if (!subreddit) throw new AdminError(404, 'There is no such subreddit.')
  return subreddit
}

/** Changes the fields that are given; of `requirements` too. */
function changeSubreddit(forum: Forum, params: unknown, body: unknown) {
  const old = subredditOf(forum, params)
  const { requirements, ...rest } = z.looseObject({ requirements: RequirementsChange.optional() }).parse(body)
  const given = <T extends object>(change: T) =>
    Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  saveSubreddit(forum, {
    ...old,
    ...given(SubredditChange.parse(rest)),
    requirements: { ...old.requirements, ...given(requirements ?? {}) },
  })
  return subredditOf(forum, params)
}

/** The latest 200. */
const LATEST = 200

export function latestPosts({ db }: Forum, limit = LATEST): PostRow[] {
  return db.prepare('select * from posts order by id desc limit ?').all(limit) as PostRow[]
}

const presentPost = (forum: Forum) => (row: PostRow) => ({
  name: fullname('t3', row.id),
  subreddit: row.subreddit,
  author: row.author,
  title: row.title,
  url: row.url,
  text: row.text,
  flairText: row.flairText,
  nsfw: row.nsfw === 1,
  score: scoreOf(row, forum.now()),
  removal: removalOf(row, forum.now()),
  comments: forum.db
    .prepare('select author, body from comments where post = ? and deletedAt is null order by id')
    .all(row.id),
  createdAt: new Date(row.createdAt).toISOString(),
})

function moderate(forum: Forum, row: PostRow, action: string | undefined, body: unknown): void {
  const set = (columns: string, ...values: (string | number | null)[]) =>
    forum.db.prepare(`update posts set ${columns} where id = ?`).run(...values, row.id)
  if (action === 'remove')
    set('removed = ?, removedAt = ?', Removal.parse(body).category, forum.now().getTime())
  else if (action === 'approve') set('removed = null, removedAt = null')
  else if (action === 'score') {
    const { score } = z.object({ score: whole }).parse(body)
    set('extraScore = ?', score - scoreOf({ ...row, extraScore: 0 }, forum.now()))
  } else throw new AdminError(404, 'There is no such action.')
}

function sendMessage(forum: Forum, { from, to, subject, body, chat, parent }: z.output<typeof Message>) {
  const sender = ensureAccount(forum, from).name
  const recipient = ensureAccount(forum, to).name
  const id = rowOf('t4', parent ?? undefined)
  const row = parent === null ? undefined : forum.db.prepare('select * from messages where id = ?').get(id)
  if (parent !== null && !row) throw new AdminError(404, 'There is no such message.')
  if (row)
    return named(
      writeMessage(forum, {
        ...{ sender, recipient, subject: `re: ${String(row.subject).replace(/^re: /, '')}`, body },
        parent: { id: Number(row.id), root: row.root === null ? null : String(row.root) },
      }),
    )
  if (!chat) return named(writeMessage(forum, { sender, recipient, subject, body }))
  const first = forum.db
    .prepare(
      "select id from messages where subject = '[direct chat room]' and sender in (?1, ?2) and recipient in (?1, ?2)",
    )
    .get(sender, recipient)
  return named(
    writeMessage(forum, {
      ...{ sender, recipient, subject: '[direct chat room]', body },
      ...(first ? { root: fullname('t4', Number(first.id)) } : {}),
    }),
  )
}

const named = ({ id }: { id: number }) => ({ name: fullname('t4', id) })

function comment(forum: Forum, { from, parent, body }: z.output<typeof Comment>) {
  const above = parent.startsWith('t1_')
    ? forum.db.prepare('select post from comments where id = ?').get(rowOf('t1', parent))
    : undefined
  const post = findPost(forum, above ? Number(above.post) : rowOf('t3', parent))
  if (!post) throw new AdminError(404, 'There is no such post or comment.')
  const author = ensureAccount(forum, from).name
  return { name: fullname('t1', writeComment(forum, { parent, post: post.id, author, body }).id) }
}

export const limits = (forum: Forum) => {
  const read = (setting: (typeof settingNames)[number]) => readSetting(forum, setting)
  return {
    budget: Number(read('budget')),
    postingSeconds: Number(read('postingSeconds')),
    requirementErrors: read('requirementErrors'),
    messagesMoved: read('messagesMoved'),
    placeholderReplies: read('placeholderReplies'),
  }
}

/** How many calls came, and the last 200 of them; of a path's prefix or an account when they're given. */
function requests({ db }: Forum, { path = '', account = '', status = '' }: Record<string, string>) {
  const where = "substr(path, 1, length(?1)) = ?1 and (?2 = '' or account = ?2) and (?3 = '' or status = ?3)"
  const { count } = db
    .prepare(`select count(*) as count from requests where ${where}`)
    .get(path, account, status) as {
    count: number
  }
  const items = db
    .prepare(
      `select method, path, account, status, at from requests where ${where} order by id desc limit 200`,
    )
    .all(path, account, status)
  return { count, items }
}
