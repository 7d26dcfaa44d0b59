import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DONATION_ID } from '../../../../contract/orders.ts'
import { unzip } from '../../../testing/archive.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { messageOf } from '../../../testing/chat.ts'
import { WISH } from '../../../testing/custom-requests.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { tell } from '../../../testing/mails/telling.ts'
import { buildPost, buildSubreddits } from '../../../testing/promotion.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { tellOfCreator } from '../../../testing/told.ts'
import { quarantineMedia } from '../../media/quarantine/actions.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const ask = (person: Person) => harness.api.as(person).call(routes.requestExport, {})
const stored = (person: Person) =>
  readdir(join(harness.context.config.DATA_DIR, 'media', 'exports', person.id)).catch(() => [])

/** What an export of this person's, made now, has of each subject. */
async function exported(person: Person) {
  await ask(person)
  await harness.runJobs()
  const api = harness.api.as(person)
  const [item] = (await api.call(routes.exports, {})).items
  const files = unzip(Buffer.from(await (await api.fetch(item?.url ?? '')).arrayBuffer()))
  return (subject: string) => JSON.parse(files.get(`data/${subject}.json`)?.toString() ?? 'null')
}

test('an export holds own data and own files, no secret and nobody else’s, for its owner’s session only', async () => {
  const [person, other] = [await buildCreator(harness), await buildFan(harness)]
  const media = await buildMedia(harness, person, { title: 'My own picture' })
  await buildMedia(harness, await buildCreator(harness), { title: 'Somebody else’s' })
  await harness.api.as(other).call(routes.block, { body: { blockedId: person.id } })
  expect(await ask(person)).toMatchObject({ status: 'waiting', url: null })
  await harness.runJobs()

  const api = harness.api.as(person)
  const { items } = await api.call(routes.exports, {})
  expect(items).toEqual([expect.objectContaining({ status: 'ready', bytes: expect.any(Number) })])
  const url = items[0]?.url ?? ''
  const response = await api.fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  expect(JSON.parse(files.get('data/account.json')?.toString() ?? '')).toMatchObject([
    { email: person.email },
  ])
  expect(files.get('data/media.json')?.toString()).toContain('My own picture')
  expect(files.get(`files/media/${media}.webp`)?.toString()).toContain('bytes of a test item')
  const everything = [...files.values()].map(String).join('\n')
  for (const foreign of ['Somebody else', other.id, other.username, 'argon2', 'token_hash'])
    expect(everything).not.toContain(foreign)

  const mails = await fetch(`${harness.sandboxOrigin}/sandbox/mail/messages?to=${person.email}`)
  expect(await mails.text()).toContain('Your data is ready')

  // A copied link opens nothing elsewhere, not even in another session of the same person.
  const elsewhere = harness.api.as({ token: await buildSession(harness, person.id) })
  await elsewhere.call(routes.me, {}).catch(() => null)
  const stranger = harness.api.as(other)
  await stranger.call(routes.exports, {})
  for (const caller of [elsewhere, stranger, harness.api.visitor()])
    expect((await caller.fetch(url)).status).toBe(403)
  expect((await api.fetch(url.replace(/e=\d+/, 'e=99999999999'))).status).toBe(403)
  harness.clock.advance(301_000)
  expect((await api.fetch(url)).status).toBe(403)
})

test('asking ten times at once makes one export', async () => {
  const person = await buildFan(harness)
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(person)))
  expect(new Set(answers.map(({ _id }) => _id)).size).toBe(1)
  await harness.runJobs()
  expect(await stored(person)).toHaveLength(1)
})

test('two a day are made, one is kept, and one that was given up does not count', async () => {
  const person = await buildFan(harness)
  const { db } = harness.context
  await ask(person)
  await db.updateTable('data_exports').set({ status: 'failed' }).where('user_id', '=', person.id).execute()
  for (let made = 0; made < 2; made++) {
    await ask(person)
    await harness.runJobs()
  }
  const third = await harness.api.as(person).send('POST', '/users/export', { body: {} })
  expect([third.status, Number(third.headers.get('retry-after')) > 86_000]).toEqual([429, true])
  const { items } = await harness.api.as(person).call(routes.exports, {})
  expect(items.filter(({ status }) => status === 'ready')).toHaveLength(1)
  await harness.server.jobs['account.sweep']({}, { attempt: 1, lastAttempt: false })
  expect(await stored(person)).toHaveLength(1)
  expect((await harness.api.as(person).send('POST', '/users/export', { body: {} })).status).toBe(429)
  harness.clock.advance(DAY_MS)
  const token = await buildSession(harness, person.id)
  expect((await harness.api.as({ token }).send('POST', '/users/export', { body: {} })).status).toBe(200)
})

/** One item whose files are said to be so large each. */
async function buildLibrary(full: Harness, person: Person, bytes: number): Promise<void> {
  const { db } = full.context
  const mediaId = await buildMedia(full, person)
  const { variants } = await db
    .selectFrom('media')
    .select('variants')
    .where('id', '=', mediaId)
    .executeTakeFirstOrThrow()
  const large = JSON.stringify(variants.map((variant) => ({ ...variant, bytes })))
  await db.updateTable('media').set({ variants: large }).where('id', '=', mediaId).execute()
}

test('all exports together stay below the setting, however many ask at once', async () => {
  const full = await startHarness({ environment: { MAX_EXPORT_BYTES: '100000' } })
  try {
    const people = await Promise.all(Array.from({ length: 8 }, () => buildCreator(full)))
    for (const person of people) await buildLibrary(full, person, 15_000)
    const answers = await Promise.all(
      people.map((person) => full.api.as(person).send('POST', '/users/export', { body: {} })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.map(({ body }) => (body as { code: string }).code)).toEqual(Array(2).fill('exports_full'))
    full.clock.advance(8 * DAY_MS)
    const [person] = people
    const token = await buildSession(full, person?.id ?? '')
    expect((await full.api.as({ token }).send('POST', '/users/export', { body: {} })).status).toBe(200)
  } finally {
    await full.stop()
  }
})

test('some that are larger than all room together keep nobody from theirs, and a small one is always made', async () => {
  const full = await startHarness({ environment: { MAX_EXPORT_BYTES: '100000' } })
  try {
    const sizes = [300_000, 300_000, 300_000, 300_000, 20_000, 20_000, 1000]
    const people = await Promise.all(sizes.map(() => buildCreator(full)))
    const statuses: number[] = []
    for (const [index, person] of people.entries()) {
      await buildLibrary(full, person, sizes[index] ?? 0)
      statuses.push((await full.api.as(person).send('POST', '/users/export', { body: {} })).status)
    }
    const fan = await buildFan(full)
    statuses.push((await full.api.as(fan).send('POST', '/users/export', { body: {} })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 200, 200])
  } finally {
    await full.stop()
  }
})

test('an export tells fee and share of each sale, referral earnings, settings, and holds what was just deleted', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { db, clock } = harness.context
  const media = await buildMedia(harness, creator, { priceCents: 1000, showInStore: true })
  const deleted = await buildMedia(harness, creator, { title: 'Deleted yesterday' })
  await db.updateTable('media').set({ deleted_at: clock.now() }).where('id', '=', deleted).execute()
  await db.updateTable('profiles').set({ watermark: true }).where('user_id', '=', creator.id).execute()
  const body = { kind: 'single' as const, itemId: media, ...(await cardToken(harness)) }
  await harness.api.as(fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  // A tip for the site is no sale of the account that stands on it.
  const given = { buyer_id: fan.id, creator_id: creator.id, kind: 'donation', item_id: DONATION_ID } as const
  const paid = { amount_cents: 2000, fee_basis_points: 10_000, status: 'captured' } as const
  await insertPurchase(db, { ...given, ...paid, created_at: clock.now() })
  await sql`
    with fees as (select id from ledger_accounts where kind = 'platform_fees'),
      earned as (insert into ledger_accounts (kind, user_id) values ('referrer_pending', ${creator.id}) returning id),
      journal as (insert into journals (kind, source_type, source_id, occurred_at)
        values ('commission', 'commission', uuidv7(), ${clock.now()}) returning id)
    insert into postings (journal_id, account_id, amount_cents, available_at)
    select journal.id, fees.id, 70, null from journal, fees union all
    select journal.id, earned.id, -70, ${clock.now()}::timestamptz from journal, earned`.execute(db)
  await db
    .insertInto('payouts')
    .values({ user_id: creator.id, amount_cents: 2000, requested_at: clock.now(), changed_at: clock.now() })
    .execute()
  const brought = { subreddit: 'Gardens', subscribers: 2500 }
  await harness.api.as(creator).call(routes.applyForSubreddit, { body: brought })
  await ask(creator)
  await harness.runJobs()
  const api = harness.api.as(creator)
  const [item] = (await api.call(routes.exports, {})).items
  const files = unzip(Buffer.from(await (await api.fetch(item?.url ?? '')).arrayBuffer()))
  const rows = (subject: string) => JSON.parse(files.get(`data/${subject}.json`)?.toString() ?? 'null')
  expect(rows('sales')).toMatchObject([{ amount_cents: 1000, fee_cents: 200, share_cents: 800 }])
  expect(rows('referral-earnings')).toMatchObject([{ kind: 'commission', earned_cents: 70 }])
  expect(rows('payouts')).toMatchObject([{ amount_cents: 2000, status: 'requested' }])
  expect(rows('subreddit-affiliates')).toMatchObject([{ subreddit: 'gardens', stated_subscribers: 2500 }])
  expect(rows('profile')).toMatchObject([{ watermark: true }])
  expect(files.get(`files/media/${deleted}.webp`)?.toString()).toContain('bytes of a test item')
})

test('an export names nobody who is suspended, and in what one was told nobody apart by a block, and keeps what one wrote', async () => {
  const fan = await buildFan(harness)
  const [suspended, blocking] = [await buildCreator(harness), await buildCreator(harness)]
  const api = harness.api.as(fan)
  for (const creator of [suspended, blocking]) {
    const socket = await api.socket()
    expect(await socket.emit('chat message', messageOf(fan, creator))).toMatchObject({ ok: true })
    socket.close()
    await api.call(routes.createCustomRequest, { body: { ...WISH, creatorId: creator.id } })
    const from = { from: creator.username, fromId: creator.id }
    const declined = { ...from, state: 'declined' as const, messageId: null, amount: null }
    await tell(harness, { kind: 'custom.changed', person: fan.id, data: declined })
    await tellOfCreator(harness, { person: fan, creator, title: 'Patrons' })
  }
  const set = { suspended_at: harness.clock.now(), suspension_reason: 'Stolen pictures' }
  await harness.context.db.updateTable('users').set(set).where('id', '=', suspended.id).execute()
  await harness.api.as(blocking).call(routes.block, { body: { blockedId: fan.id } })
  const rows = await exported(fan)

  const to = (subject: string) => rows(subject).map((row: { to: string }) => row.to)
  // A custom request is a message, too.
  expect(new Set(to('messages'))).toEqual(new Set(['Unavailable account', blocking.username]))
  expect(to('custom-requests')).toEqual(['Unavailable account', blocking.username])
  const told = JSON.stringify(rows('notifications'))
  for (const { username } of [suspended, blocking]) expect(told).not.toContain(username)
  expect(told).toContain('subscription.canceled')
})

test('an export holds what a fan was asked for a subscription, and what they agreed to; of the same creator’s others nothing', async () => {
  const creator = await buildCreator(harness)
  const subscriptionId = await buildPlan(harness, creator, { title: 'All' })
  const fans = [await buildFan(harness), await buildFan(harness)] as const
  for (const fan of fans) {
    const body = { kind: 'subscription' as const, itemId: subscriptionId, ...(await cardToken(harness)) }
    await harness.api.as(fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  }
  const edit = { subscriptionId, title: 'All', price: '$30', chatEnabled: false, mediaIds: [] }
  await harness.api.as(creator).call(routes.editSubscription, { body: { ...edit, askSubscribers: true } })
  await harness.runJobs()
  const [fan] = fans
  const [own] = (await harness.api.as(fan).call(routes.ownSubscriptions, { query: {} })).items
  const answer = { subscriptionId: own?._id ?? '', agree: true, price: '$30' }
  await harness.api.as(fan).call(routes.answerPriceChange, { body: answer })
  await ask(fan)
  await harness.runJobs()
  const api = harness.api.as(fan)
  const [item] = (await api.call(routes.exports, {})).items
  const files = unzip(Buffer.from(await (await api.fetch(item?.url ?? '')).arrayBuffer()))
  const rows = (subject: string) => JSON.parse(files.get(`data/${subject}.json`)?.toString() ?? 'null')
  expect(rows('subscriptions')).toMatchObject([{ id: own?._id, months: 1 }])
  const asked = { subscription_id: own?._id, months: 1, price_cents: 3000 }
  expect(rows('price-changes')).toEqual([expect.objectContaining({ ...asked, declined_at: null })])
  expect(rows('price-changes')[0].agreed_at).not.toBeNull()
  expect(rows('subscription-agreements')).toEqual([
    expect.objectContaining({ ...asked, consent_network: '127.0.0.0/24' }),
  ])
})

test('an export says of each post and each of its places whether it is marked NSFW', async () => {
  await buildSubreddits(harness, ['Gardens'])
  const person = await buildCreator(harness)
  const api = harness.api.as(person)
  const postId = await buildPost(harness, person, { subreddits: ['Gardens'] })
  await api.call(routes.editPost, { params: { redditPostId: postId }, body: { nsfw: false } })
  const postTime = new Date(harness.clock.now().getTime() + 3_600_000).toISOString()
  const place = { postId, selectedSubreddit: 'Gardens', byHand: true, nsfw: true, postTime }
  await api.call(routes.createTimelineItem, { body: place })
  await ask(person)
  await harness.runJobs()
  const [item] = (await api.call(routes.exports, {})).items
  const files = unzip(Buffer.from(await (await api.fetch(item?.url ?? '')).arrayBuffer()))
  const rows = (subject: string) => JSON.parse(files.get(`data/${subject}.json`)?.toString() ?? 'null')
  expect(rows('forum-posts')).toMatchObject([{ id: postId, nsfw: false }])
  expect(rows('scheduled-posts')).toMatchObject([{ post_id: postId, nsfw: true }])
})

test('an export that is asked for and made during a takedown is gone with its item, and comes back with it', async () => {
  const [person, operator] = [await buildCreator(harness), await buildUser(harness, { role: 'superadmin' })]
  const mediaId = await buildMedia(harness, person)
  const api = harness.api.as(person)
  const { db, clock } = harness.context
  const told = { ground: 'review' as const, note: '' }
  const takedown = { actorId: operator.id, mediaId, reason: 'Reported', ...told, now: clock.now() }
  clock.advance(1000)
  await ask(person)
  await harness.runJobs()
  const [made] = (await api.call(routes.exports, {})).items
  const open = async () => (await api.fetch(made?.url ?? '')).status
  expect(await open()).toBe(200)
  await db.transaction().execute((tx) => quarantineMedia(tx, takedown))
  expect(await open()).toBe(403)
  expect((await api.call(routes.exports, {})).items).toEqual([])
  const body = { mediaId, reason: 'Consent was shown' }
  await harness.api.as(operator).call(routes.releaseMedia, { body })
  expect(await open()).toBe(200)
})

test('an export is made again without what was taken down while its files were packed', async () => {
  const [person, operator] = [await buildCreator(harness), await buildUser(harness, { role: 'superadmin' })]
  const mediaId = await buildMedia(harness, person)
  const { _id: exportId } = await ask(person)
  const { storage } = harness.context
  const putFile = storage.putFile
  storage.putFile = async (...file) => {
    const body = { mediaId, reason: 'Reported' }
    await harness.api.as(operator).call(routes.quarantineMedia, { body })
    return putFile(...file)
  }
  const make = () => harness.server.jobs['account.export']({ exportId }, { attempt: 1, lastAttempt: false })
  await expect(make()).rejects.toThrow('taken down')
  storage.putFile = putFile
  await make()
  const api = harness.api.as(person)
  const [made] = (await api.call(routes.exports, {})).items
  const files = unzip(Buffer.from(await (await api.fetch(made?.url ?? '')).arrayBuffer()))
  expect([...files.keys()].filter((name) => name.startsWith('files/'))).toEqual([])
})

test('after 7 days an export and its file are gone', async () => {
  const person = await buildFan(harness)
  await ask(person)
  await harness.runJobs()
  const sweep = () => harness.server.jobs['account.sweep']({}, { attempt: 1, lastAttempt: false })
  harness.clock.advance(7 * DAY_MS - 60_000)
  await sweep()
  expect(await stored(person)).toHaveLength(1)
  harness.clock.advance(61_000)
  expect((await harness.api.as(person).call(routes.exports, {})).items).toEqual([])
  await sweep()
  expect(await stored(person)).toEqual([])
})

test('a link dies with the session', async () => {
  const person = await buildFan(harness)
  await ask(person)
  await harness.runJobs()
  const api = harness.api.as(person)
  const { items } = await api.call(routes.exports, {})
  expect((await api.fetch(items[0]?.url ?? '')).status).toBe(200)
  const { db, clock } = harness.context
  // Whoever leaves has no session, whatever is left of one.
  const hide = (at: Date | null) =>
    db.updateTable('users').set({ deletion_requested_at: at }).where('id', '=', person.id).execute()
  await hide(clock.now())
  expect((await api.fetch(items[0]?.url ?? '')).status).toBe(403)
  await hide(null)
  expect((await api.fetch(items[0]?.url ?? '')).status).toBe(200)
  await db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
  expect((await api.fetch(items[0]?.url ?? '')).status).toBe(403)
})
