import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Audience, Companion } from '../../../viewer.ts'
import { findOwnItems } from '../../media/viewing/sent/data.ts'
import { findFirstSubreddits, findPost } from '../posts/data.ts'
import { expectEarnings } from '../ranking/actions.ts'
import { carryOut } from '../submissions/actions.ts'
import { confirmPosted, lookUpPost } from '../submissions/by-hand/actions.ts'
import { retryComment } from '../submissions/comments/actions.ts'
import { findSendable } from '../submissions/data.ts'
import { postIn } from '../submissions/rules.ts'
import { findByNames } from '../subreddits/data.ts'
import { addressOf, chooseAccount, editItem, schedule } from './actions.ts'
import { type CandidateRow, listCandidates } from './candidates/data.ts'
import { cancelItem, reopenPair, reopenSubreddit, restoreItem } from './changing/actions.ts'
import { clashOf } from './clashes/rules.ts'
import {
  countScheduled,
  findFacts,
  findItem,
  findLastTime,
  findQueue,
  listItems,
  listPosters,
  rhythmOf,
} from './data.ts'
import { moveBack, moveItems } from './moving/actions.ts'
import { presentCandidate, presentItem, presentPoster, presentQueue, presentThumbnail } from './present.ts'
import { editQueue, stopAccount } from './queue/actions.ts'
import { endOfQueue, verdictsOf } from './rules.ts'

export const scheduleHandlers = {
  async scheduleCandidates(call) {
    const { db, viewer, query } = call
    const page = { ...query, skip: skipOf(query) }
    const { subreddit, postId = null } = query
    const { rows, count } = await listCandidates(db, viewer.id, { page, subreddit, postId })
    const thumbnails = await findThumbnails(call, rows)
    const subreddits = await findFirstSubreddits(db, [...new Set(rows.map(({ id }) => id))])
    const present = (row: CandidateRow) => ({
      ...presentCandidate(row, subreddits.get(row.id)),
      thumbnail: thumbnails(row.media_id),
    })
    return { ...toPage(rows, query, present), count }
  },

  async checkPost({ context, db, viewer, query, now }) {
    const post = await findPost(db, viewer.id, query.postId)
    if (!post) throw new AppError('post_not_found')
    const [subreddit] = await findByNames(db, [query.subreddit])
    if (!subreddit) throw new AppError('subreddit_not_found')
    const queue = await findQueue(db, viewer.id)
    const { url, mediaKey } = addressOf(post, context.publicUrl)
    const { accountId, byHand = false } = query
    // Without an account what the post itself breaks is told all the same.
    const account = byHand
      ? undefined
      : chooseAccount(await listPosters(db, viewer.id), {
          accountId,
          byHand: accountId === undefined,
          isNow: false,
          now,
        })
    const facts = await findFacts(db, {
      userId: viewer.id,
      subredditId: subreddit.id,
      accountId: account?.id ?? null,
      mediaKey,
      except: null,
      counted: 'timeline',
      sameMediaMinutes: queue.same_media_minutes,
      now,
    })
    const last = await findLastTime(db, viewer.id)
    const slot = endOfQueue(rhythmOf(queue), { last, limits: facts.limits, now })
    if (!slot) throw new AppError('queue_without_end')
    const words = { title: query.title, url, flairId: query.flairId ?? null }
    const at = query.postTime === undefined ? null : new Date(query.postTime)
    return { verdicts: verdictsOf({ ...words, at }, facts), endOfQueue: slot.toISOString() }
  },

  async createTimelineItem({ context, db, viewer, body, now }) {
    const row = await schedule(db, {
      userId: viewer.id,
      postId: body.postId,
      subreddit: body.selectedSubreddit,
      title: body.title,
      comment: body.comment,
      nsfw: body.nsfw,
      flairId: body.flairId || null,
      flairText: body.flairText || null,
      postTime: body.postTime,
      accountId: body.accountId,
      byHand: body.byHand,
      publicUrl: context.publicUrl,
      now,
    })
    return presentItem(row, context)
  },

  async manualSubmit({ context, viewer, body, now }) {
    const { db } = context
    const item = await db.transaction().execute((tx) =>
      schedule(tx, {
        userId: viewer.id,
        postId: body.postId,
        subreddit: body.subreddit,
        title: body.title,
        comment: body.comment,
        nsfw: body.nsfw,
        flairId: body.flairId || null,
        flairText: body.flairText || null,
        postTime: 'now',
        accountId: body.accountId,
        byHand: false,
        publicUrl: context.publicUrl,
        now,
      }),
    )
    const sendable = await findSendable(db, item.id)
    if (sendable) await carryOut(context, sendable)
    const row = await requireItem(db, viewer.id, item.id)
    const account = (await listPosters(db, viewer.id)).find(({ id }) => id === row.account_id)
    const { restingUntil, restReason } = account ? presentPoster(account, context.clock.now()) : {}
    const waits = row.state === 'scheduled'
    const waitsUntil = waits && restReason === 'forum' ? restingUntil : null
    const waitsForResume = waits && (await findQueue(db, viewer.id)).paused
    return { ...presentItem(row, context), waitsUntil: waitsUntil ?? null, waitsForResume }
  },

  async timeline(call) {
    const { context, db, viewer, query } = call
    const rows = await listItems(db, viewer.id, { ...query, page: { ...query, skip: skipOf(query) } })
    const thumbnails = await findThumbnails(call, rows)
    return toPage(rows, query, (row) => ({
      ...presentItem(row, context),
      thumbnail: thumbnails(row.media_id),
      clash: clashOf(row),
    }))
  },

  async editTimelineItem({ context, db, viewer, body, now }) {
    return presentItem(await editItem(db, { ...body, userId: viewer.id, now }), context)
  },

  async cancelTimelineItem({ db, viewer, body }) {
    await cancelItem(db, viewer.id, body.itemId)
    return { success: true as const }
  },

  async restoreTimelineItem({ context, db, viewer, body, now }) {
    return presentItem(await restoreItem(db, { userId: viewer.id, itemId: body.itemId, now }), context)
  },

  async confirmTimelineItem({ context, viewer, body, now }) {
    const { db } = context
    const item = await requireItem(db, viewer.id, body.itemId)
    const named = postIn(body.link)
    if (named === 'shared') throw new AppError('forum_link_shared')
    const isThere =
      named && (named.subreddit ?? item.subreddit).toLowerCase() === item.subreddit.toLowerCase()
    if (!isThere) throw new AppError('forum_link_invalid')
    const { subreddit } = item
    const { id } = named
    // The forum's facts override the typed ones.
    const found = (await lookUpPost(context, { userId: viewer.id, subreddit, id })) ?? {
      id,
      permalink: `/r/${subreddit}/comments/${id}`,
      postedAt: now,
      accountId: null,
    }
    await db
      .transaction()
      .execute((tx) => confirmPosted(tx, { userId: viewer.id, itemId: body.itemId, found, now }))
    return presentItem(await requireItem(db, viewer.id, body.itemId), context)
  },

  async retryComment({ context, db, viewer, body, now }) {
    await retryComment(db, { userId: viewer.id, itemId: body.itemId, now })
    return presentItem(await requireItem(db, viewer.id, body.itemId), context)
  },

  async reopenSubreddit({ db, viewer, body, now }) {
    await reopenSubreddit(db, {
      userId: viewer.id,
      accountId: body.accountId,
      subreddit: body.subreddit,
      now,
    })
    return { success: true }
  },

  async reopenPair({ context, db, viewer, body, now }) {
    return presentItem(await reopenPair(db, { userId: viewer.id, itemId: body.itemId, now }), context)
  },

  async moveDay({ db, viewer, body, now }) {
    const { from, to, ...by } = body
    const range = { from: new Date(from), to: new Date(to) }
    const { items, stayed } = await moveItems(db, { ...range, ...by, userId: viewer.id, now })
    const placed = items.map(({ id, post_at }) => ({ _id: id, postTime: post_at.toISOString() }))
    return { moved: items.length, items: placed, stayed }
  },

  async moveBack({ db, viewer, body, now }) {
    const items = body.items.map(({ _id, postTime }) => ({ id: _id, post_at: new Date(postTime) }))
    return moveBack(db, { userId: viewer.id, items, now })
  },

  async queue({ db, viewer, now }) {
    const accounts = await listPosters(db, viewer.id)
    return {
      ...presentQueue(await findQueue(db, viewer.id)),
      scheduled: await countScheduled(db, viewer.id),
      accounts: accounts.map((account) => presentPoster(account, now)),
    }
  },

  async editQueue({ db, viewer, body, now }) {
    const unique = (numbers: number[] | undefined) => numbers && [...new Set(numbers)].sort((a, b) => a - b)
    await editQueue(db, viewer.id, {
      time_zone: body.timeZone,
      days: unique(body.days),
      hours: unique(body.hours),
      gap_minutes: body.gapMinutes,
      same_media_minutes: body.sameMediaMinutes,
      paused: body.paused,
      candidate_order: body.candidateOrder,
      recycle_days: body.recycleDays,
      recycle_min_score: body.recycleMinScore,
      remove_below: body.removeBelow,
      remove_after_hours: body.removeAfterHours,
    })
    if (body.candidateOrder === 'earnings') await expectEarnings(db, viewer.id, now)
    return { success: true as const }
  },

  async stopAccount({ db, viewer, body }) {
    await stopAccount(db, { userId: viewer.id, ...body })
    return { success: true as const }
  },
} satisfies Partial<Handlers>

/** The smallest pictures of the acting person's own items that rows show; null of what has none. */
async function findThumbnails(
  { context, db, audience, companion, now }: Looking,
  rows: readonly { media_id: string | null }[],
) {
  const mediaIds = [...new Set(rows.flatMap(({ media_id }) => media_id ?? []))]
  const items =
    mediaIds.length === 0
      ? new Map<string, never>()
      : await findOwnItems(db, audience, { mediaIds, signer: context.signer, companion, now })
  return (mediaId: string | null) => presentThumbnail(items.get(mediaId ?? ''))
}
type Looking = {
  context: Context
  db: Db
  audience: Audience & { id: string }
  companion: Companion
  now: Date
}

async function requireItem(...of: Parameters<typeof findItem>) {
  const row = await findItem(...of)
  if (!row) throw new AppError('timeline_item_not_found')
  return row
}
