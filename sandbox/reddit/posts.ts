import { type CommentRow, commentsOf, commentThing } from './comments.ts'
import { ensureAccount, type Forum, findSubreddit, isRelated } from './store.ts'
import { isMember, subredditsByName, subredditThing } from './subreddits.ts'
import {
  type Answer,
  bodyHtml,
  type Call,
  created,
  failure,
  fullname,
  id36,
  listing,
  ok,
  rowOf,
  seconds,
  type Thing,
  type UserCall,
  wholeListing,
} from './wire.ts'

/** `removed` is a value of `removed_by_category`, in force from `removedAt`. Times are milliseconds. */
export type PostRow = {
  id: number
  subreddit: string
  author: string
  title: string
  url: string
  text: string
  isSelf: number
  flairId: string | null
  flairText: string | null
  nsfw: number
  spoiler: number
  createdAt: number
  removed: string | null
  removedAt: number | null
  deletedAt: number | null
  editedAt: number | null
  extraScore: number
}

export function findPost({ db }: Forum, id: number | null): PostRow | null {
  return (db.prepare('select * from posts where id = ?').get(id) as PostRow | undefined) ?? null
}

/** The path of a post. */
export function permalink({ id, subreddit, title }: Pick<PostRow, 'id' | 'subreddit' | 'title'>): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  return `/r/${subreddit}/comments/${id36(id)}/${slug || '_'}/`
}

const HOUR_MS = 3_600_000

/** Votes so far: they come in for a day or two, toward a number that depends on the post alone. */
export function scoreOf({ id, createdAt, extraScore }: PostRow, now: Date): number {
  const final = ((id * 7_919) % 397) + 3
  const age = Math.max(0, now.getTime() - createdAt) / HOUR_MS
  return 1 + Math.floor(final * (1 - Math.exp(-age / 12))) + extraScore
}

/** Why the post can't be seen by now, as `removed_by_category` says it. */
export function removalOf(row: PostRow, now: Date): string | null {
  if (row.deletedAt !== null) return 'deleted'
  return row.removed !== null && (row.removedAt ?? 0) <= now.getTime() ? row.removed : null
}

/** The t3 as this account sees it. */
export function postThing({ forum, account }: Pick<Call, 'forum' | 'account'>, row: PostRow): Thing {
  const subreddit = findSubreddit(forum, row.subreddit)
  const now = forum.now()
  const removal = removalOf(row, now)
  const isDeleted = row.deletedAt !== null
  const isAuthor = !isDeleted && account?.name === row.author
  const isModerator = account !== null && isRelated(forum, account.name, row.subreddit, 'moderator')
  const isHidden = removal !== null && !isAuthor && !isModerator
  const path = permalink(row)
  const score = scoreOf(row, now)
  const text = isDeleted && row.isSelf ? '[deleted]' : isHidden ? '[removed]' : row.text
  return {
    kind: 't3',
    data: {
      id: id36(row.id),
      name: fullname('t3', row.id),
      title: row.title,
      author: isDeleted ? '[deleted]' : row.author,
      ...(isDeleted ? {} : { author_fullname: fullname('t2', ensureAccount(forum, row.author).id) }),
      subreddit: row.subreddit,
      subreddit_id: subreddit ? `t5_${subreddit.id}` : null,
      subreddit_name_prefixed: `r/${row.subreddit}`,
      subreddit_type: subreddit?.type ?? 'public',
      subreddit_subscribers: subreddit?.subscribers ?? 0,
      permalink: path,
      url: row.isSelf ? `https://www.reddit.com${path}` : row.url,
      ...(row.isSelf ? {} : { url_overridden_by_dest: row.url, post_hint: 'link' }),
      domain: row.isSelf ? `self.${row.subreddit}` : new URL(row.url).hostname.replace(/^www\./, ''),
      is_self: row.isSelf === 1,
      is_video: false,
      selftext: text,
      selftext_html: text === '' ? null : bodyHtml(text),
      score,
      ups: score,
      downs: 0,
      upvote_ratio: 0.8 + (row.id % 20) / 100,
      num_comments: commentsOf(forum, row.id).length,
      num_crossposts: 0,
      num_duplicates: 0,
      view_count: null,
      over_18: row.nsfw === 1 || subreddit?.over18 === true,
      spoiler: row.spoiler === 1,
      locked: false,
      archived: false,
      stickied: false,
      pinned: false,
      hidden: false,
      saved: false,
      likes: isAuthor ? true : null,
      edited: row.editedAt === null ? false : seconds(row.editedAt),
      link_flair_text: row.flairText,
      ...(row.flairId === null ? {} : { link_flair_template_id: row.flairId }),
      link_flair_css_class: row.flairId === null ? null : '',
      link_flair_type: 'text',
      link_flair_text_color: 'dark',
      link_flair_background_color: '',
      link_flair_richtext: [],
      ...moderation(row, removal, isModerator),
      is_robot_indexable: removal === null,
      is_crosspostable: removal === null,
      hide_score: now.getTime() - row.createdAt < HOUR_MS,
      send_replies: true,
      distinguished: null,
      thumbnail: row.isSelf ? 'self' : row.nsfw ? 'nsfw' : 'default',
      thumbnail_width: null,
      thumbnail_height: null,
      media: null,
      secure_media: null,
      media_embed: {},
      secure_media_embed: {},
      media_only: false,
      ...created(row.createdAt),
    },
  }
}

/** Whether this account sees a post: of a private subreddit only its members do, and who made it. */
function isShown({ forum, account }: Pick<Call, 'forum' | 'account'>, row: PostRow): boolean {
  if (findSubreddit(forum, row.subreddit)?.type !== 'private') return true
  return account?.name === row.author || isMember(forum, account, row.subreddit)
}

/** Only moderators see who removed it; everybody sees that it's removed. */
function moderation(row: PostRow, removal: string | null, isModerator: boolean) {
  const isRemoved = removal !== null && row.deletedAt === null
  const isTold = isModerator && isRemoved
  return {
    removed_by_category: removal,
    banned_by: isTold ? (removal === 'moderator' ? 'a_moderator' : true) : null,
    banned_at_utc: isTold && row.removedAt !== null ? seconds(row.removedAt) : null,
    ...(isModerator ? { removed: isRemoved, spam: removal === 'reddit', approved: false } : {}),
    approved_by: null,
    approved_at_utc: null,
    removed_by: null,
    removal_reason: null,
    mod_note: null,
    mod_reason_by: null,
    mod_reason_title: null,
    mod_reports: [],
    user_reports: [],
    num_reports: null,
    can_mod_post: isModerator,
  }
}

/** The most ids that one `/api/info` takes. */
const MOST_IDS = 100

/** Things by fullname or subreddit name, not in the order asked for. */
export function info(call: Call): Answer {
  const { fields } = call
  if (fields.sr_name !== undefined) return ok(wholeListing(subredditsByName(call, fields.sr_name)))
  const ids = (fields.id ?? '').split(',').map((id) => id.trim())
  return ok(wholeListing(ids.length > MOST_IDS ? [] : ids.flatMap((id) => thingOf(call, id)).reverse()))
}

function thingOf(call: Call, name: string): Thing[] {
  const { forum } = call
  if (name.startsWith('t3_')) {
    const row = findPost(forum, rowOf('t3', name))
    return row && isShown(call, row) ? [postThing(call, row)] : []
  }
  if (name.startsWith('t1_')) {
    const row = forum.db.prepare('select * from comments where id = ?').get(rowOf('t1', name)) as
      | CommentRow
      | undefined
    return row ? [commentThing(forum, row)] : []
  }
  const row = forum.db.prepare('select name from subreddits where id = ?').get(name.replace(/^t5_/, '')) as
    | { name: string }
    | undefined
  const subreddit = row && findSubreddit(forum, row.name)
  return subreddit?.access === 'open' ? [subredditThing(call, subreddit)] : []
}

export function byId(call: Call): Answer {
  const names = (call.params.names ?? '').split(',').slice(0, MOST_IDS)
  return ok(wholeListing(names.flatMap((name) => (name.startsWith('t3_') ? thingOf(call, name) : []))))
}

/** Two listings: the post, and its comments by `sort` and `limit`, with what is left of them as `more`. */
export function postWithComments(call: Call): Answer {
  const row = findPost(call.forum, rowOf('t3', call.params.id))
  if (!row) return failure(404)
  if (!isShown(call, row)) return failure(403, { reason: 'private' })
  const { sort, limit } = call.fields
  const all = commentsOf(call.forum, row.id)
  const wanted = Number(limit)
  const shown = (sort === 'new' ? all.toReversed() : all).slice(0, wanted > 0 ? Math.min(wanted, 500) : 200)
  const left = all.filter((comment) => !shown.includes(comment)).map(({ id }) => id36(id))
  const more: Thing = {
    kind: 'more',
    data: {
      count: left.length,
      name: `t1_${left[0]}`,
      id: left[0],
      parent_id: fullname('t3', row.id),
      depth: 0,
      children: left,
    },
  }
  return ok([
    wholeListing([postThing(call, row)]),
    wholeListing([
      ...shown.map((comment) => commentThing(call.forum, comment)),
      ...(left.length > 0 ? [more] : []),
    ]),
  ])
}

/** An account's posts, newest first, removed ones included. */
export function submitted(call: Call): Answer {
  const { forum, params, fields } = call
  const rows = forum.db
    .prepare('select * from posts where author = ? and deletedAt is null order by id desc limit 1000')
    .all(params.name ?? '') as PostRow[]
  if (fields.sort === 'top')
    rows.sort((one, other) => scoreOf(other, forum.now()) - scoreOf(one, forum.now()))
  return listing(
    rows.filter((row) => isShown(call, row)).map((row) => postThing(call, row)),
    fields,
  )
}

/** Says the same whether or not it was there, or one's own. */
export function del({ forum, fields, account }: UserCall): Answer {
  const isComment = fields.id?.startsWith('t1_') === true
  forum.db
    .prepare(
      `update ${isComment ? 'comments' : 'posts'} set deletedAt = ? where id = ? and author = ? and deletedAt is null`,
    )
    .run(forum.now().getTime(), rowOf(isComment ? 't1' : 't3', fields.id), account.name)
  return ok({})
}

export function editText(call: UserCall): Answer {
  const { forum, fields, account } = call
  const isComment = fields.thing_id?.startsWith('t1_') === true
  const change = isComment
    ? 'update comments set body = ?, editedAt = ? where id = ? and author = ? and deletedAt is null'
    : 'update posts set text = ?, editedAt = ? where id = ? and author = ? and isSelf = 1 and deletedAt is null'
  const { changes } = forum.db
    .prepare(change)
    .run(
      ...[fields.text ?? '', forum.now().getTime()],
      ...[rowOf(isComment ? 't1' : 't3', fields.thing_id), account.name],
    )
  if (changes === 0) return failure(403)
  return ok({ json: { errors: [], data: { things: thingOf(call, fields.thing_id ?? '') } } })
}
