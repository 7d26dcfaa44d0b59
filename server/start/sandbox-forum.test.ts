import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { owners } from '../db/tables/owners.ts'
import { notify } from '../domains/notifications/actions.ts'
import { buildCreator, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum } from '../testing/promotion.ts'
import { runAdmin } from './admin.ts'
import { enterMode } from './installation.ts'

const PROMOTION = Object.entries(owners).flatMap(([table, owner]) =>
  owner === 'domains/promotion' ? [table] : [],
)
/** They name nothing of the forum. */
const KEPT = ['saved_replies', 'subreddit_lists', 'subreddit_tags']
const FOUND = 'accounts 1, subreddits 1, posts 1, items on the timeline 1, message threads 1'
const tried = { livemode: false, trial: true, forum: 'sandbox' } as const
const real = { ...tried, trial: false, forum: 'real' } as const

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

const clear = (...options: string[]) => {
  const { db, vault } = harness.context
  return runAdmin(['clear-forum', ...options], db, vault, harness.clock.now())
}

/** The tables of promotion that hold anything. */
async function filled(): Promise<string[]> {
  const counted = PROMOTION.map(async (table) => {
    const { rows } = await sql`select from ${sql.id(table)} limit 1`.execute(harness.context.db)
    return rows.length > 0 ? [table] : []
  })
  return (await Promise.all(counted)).flat().sort()
}

const toldOf = async () => {
  const { items } = await harness.api.as(creator).call(routes.notifications, { query: {} })
  return items.map(({ event }) => event.kind)
}

/** Uses promotion in every way, so that each of its tables holds something. */
async function tryForum(): Promise<void> {
  const { db, clock } = harness.context
  const now = clock.now()
  const later = new Date(now.getTime() + 3600_000)
  await buildSubreddits(harness, ['Lanterns'])
  const { id: subreddit } = await db.selectFrom('subreddits').select('id').executeTakeFirstOrThrow()
  const { _id: account } = await connectForum(harness, creator, 'LanternMaker')
  const api = harness.api.as(creator)
  const post = await buildPost(harness, creator, { subreddits: ['Lanterns'] })
  const { _id: item } = await api.call(routes.createTimelineItem, {
    body: {
      postId: post,
      selectedSubreddit: 'Lanterns',
      title: 'A quiet lake',
      postTime: later.toISOString(),
    },
  })
  await api.call(routes.saveSlot, {
    body: { days: [1], time: '18:30', subreddit: 'Lanterns', accountId: account, byHand: false },
  })
  await api.call(routes.saveReply, { body: { title: 'Thanks', text: 'Thank you!' } })
  const { _id: list } = await api.call(routes.createSubredditList, { body: { title: 'working' } })

  const user = creator.id
  const of = { user_id: user, subreddit_id: subreddit }
  const message = { account_id: account, author: 'Writer', name: 't4_1', is_own: false, sent_at: now }
  await db.transaction().execute(async (tx) => {
    const insert: typeof tx.insertInto = (table) => tx.insertInto(table)
    await insert('subreddit_list_members').values({ list_id: list, subreddit_id: subreddit }).execute()
    await insert('verifications')
      .values({ ...of, sort_name: 'lanterns', status: 'todo', confirmed: 'pending', changed_at: now })
      .execute()
    await insert('subreddit_changes')
      .values({ subreddit_id: subreddit, part: 'rules', before: '{}', after: '{}', changed_at: now })
      .execute()
    await insert('forum_expected_earnings')
      .values({ ...of, cents: 1, posts: 1 })
      .execute()
    await insert('forum_closed_pairs')
      .values({ account_id: account, subreddit_id: subreddit, code: 'no', message: '', closed_at: now })
      .execute()
    await insert('forum_visits').values({ item_id: item, visited_at: now }).execute()
    await insert('forum_inboxes')
      .values({ account_id: account, next_sync_at: later, opened_at: now })
      .execute()
    const { id: thread } = await insert('forum_threads')
      .values({
        user_id: user,
        account_id: account,
        key: 't4_1',
        author: 'Writer',
        subject: '',
        last_received_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insert('forum_messages')
      .values({ ...message, thread_id: thread, body: 'Hello' })
      .execute()
    await insert('forum_replies')
      .values({ thread_id: thread, body: 'Hi', state: 'sent', created_at: now })
      .execute()
    await insert('forum_queues').values({ user_id: user }).execute()
    await insert('forum_contacts').values({ user_id: user, name: 'writer' }).execute()
    await insert('forum_revocations')
      .values({ sealed_token: Buffer.from('sealed'), created_at: now, next_try_at: later })
      .execute()
    const told = { kind: 'forum.reconnect', person: user, data: { account: 'LanternMaker' } } as const
    await notify(tx, told, { now })
    await notify(tx, { kind: 'password.changed', person: user, data: {} }, { now })
  })
}

test('what trying the sandbox’s forum left is deleted once it is confirmed, and the real one may come', async () => {
  const { db } = harness.context
  await enterMode(db, tried)
  await tryForum()
  expect(await filled()).toEqual(PROMOTION.toSorted())
  await expect(enterMode(db, real)).rejects.toThrow('npm run admin -- clear-forum')

  expect(await clear()).toEqual({
    ok: false,
    output: `Add --confirm to delete what the forum’s sandbox left: ${FOUND}.`,
  })
  expect(await filled()).toEqual(PROMOTION.toSorted())

  expect(await clear('--confirm')).toEqual({
    ok: true,
    output: `Deleted what the forum’s sandbox left: ${FOUND}.`,
  })
  expect(await filled()).toEqual(KEPT)
  expect(await toldOf()).toEqual(['password.changed'])
  const entries = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'forum.cleared')
    .execute()
  expect(entries).toEqual([
    { actor_id: null, detail: { accounts: 1, subreddits: 1, posts: 1, scheduled: 1, threads: 1 } },
  ])
  await enterMode(db, real)
})

test.each([
  ['real', 'This database belongs to the real forum, and clear-forum deletes only what the sandbox left.'],
  [null, 'No forum was used with this database, so there is nothing to clear.'],
] as const)('a database whose forum is %s keeps everything', async (forum, output) => {
  const { db } = harness.context
  await db.updateTable('installation').set({ forum }).execute()
  await buildSubreddits(harness, ['Cabins'])
  const before = await filled()
  expect(before).toContain('subreddits')
  expect(await clear('--confirm')).toEqual({ ok: false, output })
  expect(await filled()).toEqual(before)
})
