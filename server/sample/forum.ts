import { sql } from 'kysely'
import { redGifEmbedUrl } from '../../contract/redgif.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { freeCode } from '../domains/promotion/attribution/actions.ts'
import { saveReply } from '../domains/promotion/inbox/actions.ts'
import { createList, updateList } from '../domains/promotion/lists/actions.ts'
import { createPost, editPost } from '../domains/promotion/posts/actions.ts'
import { setPlace } from '../domains/promotion/schedule/actions.ts'
import { saveSlot } from '../domains/promotion/slots/actions.ts'
import { UNCONFIRMED } from '../domains/promotion/submissions/rules.ts'
import { importNames } from '../domains/promotion/subreddits/actions.ts'
import { updateRecord } from '../domains/promotion/verification/actions.ts'
import { sampleId } from './content.ts'
import { OPERATOR } from './people.ts'

const DAY_MS = 24 * 3600 * 1000

/** Search words for the forum, and how many of the subreddits found are tracked. */
const WORDS = ['garden', 'craft', 'photo', 'light', 'paper', 'bread', 'cozy', 'old', 'quiet', 'tea']
const PAGES_PER_WORD = 4
const MAX_TRACKED = 150

/** The names of public subreddits that the forum knows; none where there is no forum, or it doesn't answer. */
export async function findForumNames({ forum }: Context): Promise<string[]> {
  if (!forum) return []
  const names = new Set<string>()
  for (const text of WORDS) {
    let after: string | undefined
    for (let page = 0; page < PAGES_PER_WORD; page++) {
      const answer = await forum.search({ text, after, count: page * 10, limit: 10 }, 'anybody')
      if (answer.kind !== 'answered') break
      for (const { name, isPrivate } of answer.value.subreddits) if (!isPrivate) names.add(name)
      if (answer.value.after === null) break
      after = answer.value.after
    }
  }
  return [...names].slice(0, MAX_TRACKED)
}

const NOTES = [
  'Posts do best on weekday evenings.',
  'Moderators answer within a day.',
  'Titles with a question get more replies.',
  '',
]

/** Tracks what the forum knows, with notes of the operator, and a creator's progress, lists and posts. */
export async function insertPromotion(db: Tx, names: string[], now: Date): Promise<void> {
  if (names.length === 0) return
  const operatorId = sampleId(OPERATOR.username)
  await importNames(db, { names, actorId: operatorId, now })
  const tags = await db.selectFrom('subreddit_tags').select('id').orderBy('name').execute()
  for (const [index, name] of names.entries()) {
    // A part is left for the operator to look through.
    if (index % 5 === 4) continue
    await db
      .updateTable('subreddits')
      .set({
        categorized: true,
        verification_type: (['required', 'other', 'unknown', 'required'] as const)[index % 4] ?? 'unset',
        oc_settings: (['none', 'ocOnly', 'noOc'] as const)[index % 3] ?? 'none',
        selling_accounts_allowed: index % 3 !== 0,
        males_allowed: (['true', 'unknown', 'false'] as const)[index % 3] ?? 'unknown',
        women_only: (['unknown', 'false', 'true'] as const)[index % 3] ?? 'unknown',
        couples_only: index % 11 === 0,
        boy_and_girl_required: index % 13 === 1,
        toys_allowed: index % 4 === 0,
        sex_acts_allowed: index % 4 === 2,
        watermark_type: (['unknown', 'not allowed', 'reddit username'] as const)[index % 3] ?? 'unknown',
        face_required: index % 7 === 3,
        notes: NOTES[index % NOTES.length] ?? '',
        ...(index % 2 === 0 ? { post_max: 1, post_interval: 24, post_unit: 'hours' as const } : {}),
        ...(index % 3 === 0 ? { repost_max: 1, repost_interval: 30, repost_unit: 'days' as const } : {}),
        tag_ids: [tags[index % tags.length], tags[(index * 7 + 3) % tags.length]].flatMap((tag) =>
          tag ? [tag.id] : [],
        ),
      })
      .where(sql`lower(name)`, '=', name.toLowerCase())
      .execute()
  }
  await insertProgress(db, sampleId('mara'), names, now)
  await insertLists(db, { creatorId: sampleId('mara'), operatorId, names, now })
  await insertPosts(db, sampleId('mara'), names, now)
  await insertVisits(db, sampleId('mara'))
  await insertHabits(db, sampleId('mara'), now)
}

async function insertProgress(db: Tx, userId: string, names: string[], now: Date): Promise<void> {
  const soon = new Date(now.getTime() + 3 * DAY_MS).toISOString().slice(0, 10)
  for (const [index, name] of names.slice(0, 36).entries()) {
    const status = (['todo', 'pending', 'done', 'done'] as const)[index % 4] ?? 'todo'
    const change = {
      status,
      confirmed: status === 'done' ? ('true' as const) : ('pending' as const),
      notes: index % 3 === 0 ? 'The sign needs today’s date.' : '',
      ...(index % 6 === 1 ? { remindOn: soon } : {}),
    }
    await updateRecord(db, { userId, name, change, now })
  }
}

async function insertLists(
  db: Tx,
  of: { creatorId: string; operatorId: string; names: string[]; now: Date },
): Promise<void> {
  const { creatorId, operatorId, names, now } = of
  const creator = { id: creatorId, keepsAll: false }
  const operator = { id: operatorId, keepsAll: true }
  const lists = [
    { editor: creator, title: 'working', from: 0, to: 12, removeFromSearch: false },
    { editor: creator, title: 'problem', from: 12, to: 15, removeFromSearch: false },
    { editor: creator, title: 'banned', from: 36, to: 39, removeFromSearch: true },
    { editor: operator, title: 'Good for a start', from: 3, to: 13, removeFromSearch: false },
  ]
  for (const { editor, title, from, to, removeFromSearch } of lists) {
    const listId = await createList(db, editor, { title, siteWide: editor.keepsAll, now })
    const subreddits = names.slice(from, to)
    await updateList(db, editor, { listId, title, subreddits, removeFromSearch, now })
  }
}

const POSTS = [
  {
    link: 'quietmountainlake',
    titles: ['First light on the ridge', 'Up at five for this', 'Worth the climb?'],
  },
  { link: 'slowriverstones', titles: ['The stream behind the hut', 'Ten seconds of quiet'] },
  { link: 'tallwinterpines', titles: ['Snow came early this year'] },
]

const HOUR_MS = 3600 * 1000
const POSTED = 5
const SCHEDULED = 3
/** Posts that failed once, each in a subreddit of its own. */
const UNLUCKY = [
  { state: 'unknown', failure: UNCONFIRMED },
  {
    state: 'failed',
    failure: {
      code: 'ALREADY_SUB',
      message: 'This link was posted here before.',
      remedy: 'resubmit',
    },
  },
] as const

/** Of each post, subreddits where it went up in the last weeks, and others where it is to go up by hand in the next days or didn’t. */
async function insertTimeline(
  db: Tx,
  of: { userId: string; postId: string; link: string; titles: string[]; index: number; now: Date },
): Promise<void> {
  const { userId, postId, link, titles, index, now } = of
  const places = await db
    .selectFrom('forum_post_subreddits')
    .select('subreddit_id')
    .where('post_id', '=', postId)
    .where('state', '=', 'usable')
    .orderBy('place')
    .limit(POSTED + SCHEDULED + (index === 0 ? UNLUCKY.length : 0))
    .execute()
  for (const [turn, { subreddit_id }] of places.entries()) {
    const isPosted = turn < POSTED
    const unlucky = UNLUCKY[turn - POSTED - SCHEDULED]
    const days = isPosted || unlucky ? -((turn % POSTED) * 3 + index + 1) : (turn - POSTED) * 2 + index
    const at = new Date(now.getTime() + days * DAY_MS + (3 + index) * HOUR_MS)
    await db
      .insertInto('scheduled_posts')
      .values({
        user_id: userId,
        post_id: postId,
        subreddit_id,
        by_hand: true,
        title: titles[turn % titles.length] ?? '',
        url: `https://www.redgifs.com/watch/${link}`,
        media_key: `redgifs:${link}`,
        post_at: at,
        created_at: new Date(Math.min(at.getTime(), now.getTime()) - DAY_MS),
        state: unlucky?.state ?? (isPosted ? 'posted' : 'scheduled'),
        failure: unlucky ? JSON.stringify(unlucky.failure) : null,
        code: await freeCode(db),
        ...(isPosted
          ? {
              posted_at: at,
              score: 40 + ((index * 97 + turn * 53) % 400),
              comments_count: (index * 7 + turn * 5) % 30,
              removed_by: index === 1 && turn === 1 ? 'moderator' : null,
            }
          : {}),
      })
      .execute()
    await setPlace(db, { id: postId, subreddit_id }, isPosted ? { postedAt: at } : 'scheduled')
  }
}

async function insertPosts(db: Tx, userId: string, names: string[], now: Date): Promise<void> {
  for (const [index, { link, titles }] of POSTS.entries()) {
    const createdAt = new Date(now.getTime() - (2 * index + 18) * DAY_MS)
    const comment = 'Thanks for looking! More on my profile.'
    const postId = await createPost(db, {
      userId,
      titles,
      comment,
      nsfw: true,
      link: redGifEmbedUrl(link),
      now: createdAt,
    })
    await editPost(db, {
      userId,
      postId,
      usableSubreddits: names.slice(index * 10, index * 10 + 10),
      discardedSubreddits: names.slice(index * 10 + 10, index * 10 + 12),
      now: createdAt,
    })
    await insertTimeline(db, { userId, postId, link, titles, index, now })
  }
}

/** Times of the week that are filled by themselves, and answers that are written often. */
async function insertHabits(db: Tx, userId: string, now: Date): Promise<void> {
  const evenings = {
    slotId: undefined,
    days: [2, 4],
    time: '19:30',
    subreddit: null,
    accountId: null,
    byHand: true,
  }
  await saveSlot(db, userId, evenings, now)
  await saveReply(db, {
    userId,
    id: undefined,
    title: 'Thanks',
    body: 'Thank you! There’s more on my profile.',
    now,
  })
  await saveReply(db, {
    ...{ userId, id: undefined, title: 'Where to find me', now },
    body: 'My newest pictures come out on Fridays. Follow me to see them first.',
  })
}

/** People who came by each posted link, of whom the buyers of these days are the ones that are known. */
async function insertVisits(db: Tx, userId: string): Promise<void> {
  await sql`
    insert into forum_visits (item_id, visited_at)
    select id, posted_at + visit * interval '11 minutes'
    from scheduled_posts cross join lateral generate_series(1, 4 + score / 12) as visit
    where user_id = ${userId} and state = 'posted'`.execute(db)
  await sql`
    insert into forum_visits (item_id, user_id, visited_at)
    select latest.id, buyer_id, tried_at - interval '20 minutes'
    from orders cross join lateral (
      select id from scheduled_posts
      where user_id = ${userId} and state = 'posted' and posted_at < orders.tried_at - interval '1 hour'
      order by posted_at desc limit 1
    ) as latest
    where creator_id = ${userId} and status = 'paid'`.execute(db)
}
