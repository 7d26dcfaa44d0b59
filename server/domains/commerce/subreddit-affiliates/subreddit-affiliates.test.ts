import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { runAdmin } from '../../../start/admin.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let referrer: Person
let moderator: Person
let finance: { id: string; api: Api }
let second: { id: string; api: Api }
let subreddit: string
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  referrer = await buildCreator(harness)
  moderator = await buildFan(harness)
  finance = await operator()
  second = await operator()
  subreddit = `Gardens_${crypto.randomUUID().slice(0, 8)}`
})

async function operator(reauthenticatedAt: Date | null = harness.clock.now()) {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, reauthenticatedAt ? { reauthenticatedAt } : {})
  return { id, api: harness.api.as({ token }) }
}

const apply = (by: Person = referrer, body: object = {}) =>
  harness.api
    .as(by)
    .call(routes.applyForSubreddit, { body: { subreddit: `/r/${subreddit}`, subscribers: 2500, ...body } })
type Decision = Parameters<typeof decide>[1]
const decide = (
  applicationId: string,
  body: {
    decision: 'approve' | 'refuse'
    subscribers?: number
    restrictions?: string
    moderator?: string
    reason?: string
  },
  by: Api = finance.api,
) => by.call(routes.decideSubreddit, { body: { applicationId, reason: 'Checked', ...body } })
/** Both by as many people as it takes. */
const approve = (applicationId: string, more: Omit<Decision, 'decision'> = {}) =>
  byTwo((api) => decide(applicationId, { decision: 'approve', ...more }, api))
const pay = (applicationId: string, username = moderator.username) =>
  byTwo((api) =>
    api.call(routes.paySubredditShare, {
      body: { applicationId, moderator: username, reason: 'Wrote from the modmail' },
    }),
  )
async function byTwo(send: (api: Api) => Promise<{ waits: boolean }>): Promise<void> {
  if ((await send(finance.api)).waits) await send(second.api)
}
const own = async (person: Person = referrer) =>
  (await harness.api.as(person).call(routes.subredditAffiliates, { query: {} })).items
const queue = async (showing: 'open' | 'held' | 'all') =>
  (await finance.api.call(routes.allSubredditAffiliates, { query: { showing, limit: 60 } })).items.filter(
    ({ subreddit: name }) => name === subreddit.toLowerCase(),
  )
const balance = async (person: Person) => {
  const { pending, available } = await harness.api.as(person).call(routes.balance, { query: {} })
  return { pending, available }
}
const codes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls))
    .map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code))
    .sort()

/** Tracks the subreddit with as many subscribers as the forum says. */
const track = (subscribers: number) =>
  harness.context.db
    .insertInto('subreddits')
    .values({ name: subreddit, subscribers, created_at: harness.clock.now() })
    .execute()

test('an approved subreddit pays a cent for each subscriber to its referrer and to its moderator, after 7 days', async () => {
  const application = await apply()
  expect(application).toMatchObject({
    ...{ subreddit: subreddit.toLowerCase(), status: 'applied', subscribers: 2500, amount: null },
  })
  expect(await queue('open')).toMatchObject([
    { person: { _id: referrer.id }, knownSubscribers: null, moderator: null },
  ])
  const restrictions = 'Only as long as our link stands in the sidebar.'
  await approve(application._id, { moderator: moderator.username.toUpperCase(), restrictions })
  expect(await own()).toMatchObject([{ status: 'approved', amount: '$25', restrictions, reason: null }])
  expect(await queue('open')).toEqual([])
  expect(await queue('held')).toEqual([])
  expect(await queue('all')).toMatchObject([{ moderator: { _id: moderator.id } }])
  for (const person of [referrer, moderator])
    expect(await balance(person)).toEqual({ pending: '$25', available: '$0' })
  const share = { source: 'subreddit', sales: 1, gross: '$25', fee: '$0', share: '$25' }
  const today = harness.clock.now().toISOString().slice(0, 10)
  for (const person of [referrer, moderator]) {
    const sources = async (query: object) =>
      (await harness.api.as(person).call(routes.earningsBreakdown, { query })).sources
    expect([await sources({}), await sources({ from: today, to: today })]).toEqual([[share], [share]])
    expect(await sources({ to: '2020-01-01' })).toEqual([])
  }
  harness.clock.advance(7 * DAY_MS + 1000)
  for (const person of [referrer, moderator])
    expect(await balance(person)).toEqual({ pending: '$0', available: '$25' })
  const { ok, output } = await runAdmin(
    ['books'],
    harness.context.db,
    harness.context.vault,
    harness.clock.now(),
  )
  expect(output).toContain('Every cent is accounted for.')
  expect(ok).toBe(true)
})

test('without a moderator the subreddit’s share is held, until it is paid once', async () => {
  const { _id } = await apply()
  await expect(pay(_id)).rejects.toMatchObject({ code: 'share_not_held' })
  await approve(_id, { subscribers: 3000 })
  expect(await balance(referrer)).toEqual({ pending: '$30', available: '$0' })
  expect(await queue('held')).toHaveLength(1)
  const suspense = async () => {
    const { rows } = await sql<{ cents: number }>`
      select coalesce(-sum(amount_cents), 0)::int as cents from postings join ledger_accounts as account on account.id = account_id
      where account.kind = 'suspense'`.execute(harness.context.db)
    return rows[0]?.cents
  }
  expect(await suspense()).toBe(3000)
  await expect(pay(_id, 'nobody-of-this-name')).rejects.toMatchObject({ code: 'user_not_found' })
  expect(await codes([pay(_id), pay(_id), pay(_id)])).toEqual(['done', 'share_not_held', 'share_not_held'])
  expect(await suspense()).toBe(0)
  expect(await balance(moderator)).toEqual({ pending: '$30', available: '$0' })
  expect(await queue('held')).toEqual([])
})

test('a subreddit is approved once, whoever brought it and whoever decides at the same time', async () => {
  const other = await buildFan(harness)
  const [first, second] = [await apply(), await apply(other)]
  const answers = await codes([
    ...[approve(first._id), approve(second._id), approve(first._id), approve(second._id)],
    decide(second._id, { decision: 'refuse' }),
  ])
  expect(answers.filter((code) => code === 'done').length).toBeLessThanOrEqual(2)
  const approved = (await queue('all')).filter(({ status }) => status === 'approved')
  expect(approved).toHaveLength(1)
  const paid = [await balance(referrer), await balance(other)].map(({ pending }) => pending)
  expect(paid.toSorted()).toEqual(['$0', '$25'])
  const third = await buildFan(harness)
  await expect(apply(third)).rejects.toMatchObject({ code: 'subreddit_affiliated' })
})

test('what is too small, open already, or one too many is refused with a sentence', async () => {
  await expect(apply(referrer, { subscribers: 999 })).rejects.toMatchObject({ status: 400 })
  await expect(apply(referrer, { subreddit: 'not a name' })).rejects.toMatchObject({ status: 400 })
  await track(999)
  await expect(apply()).rejects.toMatchObject({ code: 'subreddit_too_small' })
  await sql`update subreddits set subscribers = 1200 where name = ${subreddit}`.execute(harness.context.db)
  const { _id } = await apply()
  await expect(apply(referrer, { subreddit: subreddit.toUpperCase() })).rejects.toMatchObject({
    code: 'application_open',
  })
  for (let more = 1; more < 10; more++) await apply(referrer, { subreddit: `${subreddit}_${more}` })
  await expect(apply(referrer, { subreddit: 'one_too_many' })).rejects.toMatchObject({
    code: 'too_many_applications',
  })
  // The forum's figure counts, not the stated one.
  await approve(_id)
  expect(await own()).toContainEqual(expect.objectContaining({ _id, subscribers: 1200, amount: '$12' }))
})

test('a refusal says why, pays nothing, and the subreddit can be brought again', async () => {
  const { _id } = await apply()
  await decide(_id, { decision: 'refuse', reason: 'The moderators don’t know of it.' })
  expect(await own()).toMatchObject([
    { status: 'refused', reason: 'The moderators don’t know of it.', amount: null },
  ])
  expect(await balance(referrer)).toEqual({ pending: '$0', available: '$0' })
  await expect(approve(_id)).rejects.toMatchObject({ code: 'application_decided' })
  expect(await apply()).toMatchObject({ status: 'applied' })
})

test('applicant and moderator are told what was decided, in their lists and by email, each once', async () => {
  const told = async (person: Person) =>
    (await harness.api.as(person).call(routes.notifications, { query: {} })).items
      .map(({ event }) => event)
      .filter(({ kind }) => kind === 'subreddit.decided')
  const mailed = async ({ email }: Person) =>
    (await emailsTo(harness, email)).map(({ subject, text }) => `${subject}\n${text}`).join('\n')
  const name = subreddit.toLowerCase()
  const { _id: refused } = await apply()
  await decide(refused, { decision: 'refuse', reason: 'The moderators don’t know of it.' })
  const { _id } = await apply()
  const restrictions = 'As long as our link stands in the sidebar.'
  await codes([approve(_id, { restrictions }), approve(_id, { restrictions })])
  const approved = { subreddit: name, amount: '$25', note: restrictions }
  expect(await told(referrer)).toMatchObject([
    { data: { state: 'approved', ...approved } },
    { data: { state: 'declined', subreddit: name, amount: null, note: 'The moderators don’t know of it.' } },
  ])
  const mails = await mailed(referrer)
  expect(mails).toContain(`r/${name} was declined`)
  expect(mails).toContain('Reason: The moderators don’t know of it.')
  expect(mails).toContain(`You earn $25 for referring r/${name}.`)
  expect(mails).toContain(`Restrictions: ${restrictions}`)
  expect(await told(moderator)).toEqual([])
  await codes([pay(_id), pay(_id)])
  expect(await told(moderator)).toMatchObject([{ data: { state: 'share', ...approved } }])
  expect(await mailed(moderator)).toContain(`You got $25 for r/${name}`)
})

test('nobody approves a share of their own, nothing is paid to who is suspended, and the audit log says who decided', async () => {
  const { _id: ownId } = await finance.api.call(routes.applyForSubreddit, {
    body: { subreddit: `own_${subreddit}`.slice(0, 21), subscribers: 1000 },
  })
  await expect(approve(ownId)).rejects.toMatchObject({ code: 'own_application' })
  const { _id } = await apply()
  const { username } = await harness.context.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', finance.id)
    .executeTakeFirstOrThrow()
  await expect(approve(_id, { moderator: username })).rejects.toMatchObject({ code: 'own_application' })
  const suspend = (at: Date | null) =>
    harness.context.db
      .updateTable('users')
      .set({ suspended_at: at, suspension_reason: at && 'Spam' })
      .where('id', '=', referrer.id)
      .execute()
  // Nor do they say who gets the other share of what they brought.
  for (const { api } of [second, await operator()]) await decide(ownId, { decision: 'approve' }, api)
  await expect(pay(ownId)).rejects.toMatchObject({ code: 'own_application' })
  await suspend(harness.clock.now())
  await expect(approve(_id)).rejects.toMatchObject({ code: 'referrer_unavailable' })
  await suspend(null)
  await approve(_id)
  await pay(_id)
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason'])
    .where('target_id', '=', _id)
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { action: 'subreddit.proposed', actor_id: finance.id, reason: 'Checked' },
    { action: 'subreddit.approved', actor_id: second.id, reason: 'Checked' },
    { action: 'subreddit.share_proposed', actor_id: finance.id, reason: 'Wrote from the modmail' },
    { action: 'subreddit.share_paid', actor_id: second.id, reason: 'Wrote from the modmail' },
  ])
})

test('a decision asks for a re-authentication, and pays for no more people than a subreddit has', async () => {
  const { _id } = await apply()
  const { api } = await operator(null)
  for (const decision of ['approve', 'refuse'] as const)
    await expect(decide(_id, { decision }, api)).rejects.toMatchObject({ code: 'reauthentication_required' })
  expect(await own()).toMatchObject([{ status: 'applied' }])
  await expect(approve(_id, { subscribers: 75_000_001 })).rejects.toMatchObject({ status: 400 })
  await approve(_id, { subscribers: 75_000_000 })
  expect(await balance(referrer)).toMatchObject({ pending: '$750,000' })
})

test('what waits is listed the oldest first, and all the newest first, page by page', async () => {
  const ids: string[] = []
  for (let index = 0; index < 5; index++) {
    ids.push((await apply(referrer, { subreddit: `${subreddit}_${index}` }))._id)
    harness.clock.advance(1000)
  }
  const listed = async (showing: 'open' | 'all') => {
    const read: string[] = []
    let cursor: string | null | undefined
    do {
      const page: { items: { _id: string }[]; nextCursor: string | null } = await finance.api.call(
        routes.allSubredditAffiliates,
        { query: { showing, limit: 2, ...(cursor ? { cursor } : {}) } },
      )
      read.push(...page.items.map((one) => one._id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(new Set(read).size).toBe(read.length)
    return read.filter((id) => ids.includes(id))
  }
  expect(await listed('open')).toEqual(ids)
  expect(await listed('all')).toEqual(ids.toReversed())
})

test('canceled commissions take pending shares of the program back, once, and the books know', async () => {
  const { _id } = await apply()
  await approve(_id)
  await pay(_id)
  const cancel = (person: Person) =>
    finance.api.call(routes.cancelCommissions, {
      body: { username: person.username, reason: 'Bought accounts' },
    })
  expect(await codes([cancel(referrer), cancel(referrer), cancel(referrer)])).toEqual([
    ...['done', 'no_commissions', 'no_commissions'],
  ])
  expect(await cancel(moderator)).toEqual({ count: 1, amount: '$25' })
  expect(await own(referrer)).toMatchObject([{ status: 'approved', canceled: true }])
  harness.clock.advance(8 * DAY_MS)
  for (const person of [referrer, moderator]) {
    const token = await buildSession(harness, person.id)
    expect(await balance({ ...person, token })).toEqual({ pending: '$0', available: '$0' })
  }
  finance = await operator()
  second = await operator()
  // Available money stays.
  const other = await buildFan(harness)
  const { _id: kept } = await apply(other, { subreddit: `${subreddit}_kept` })
  await approve(kept)
  expect(await own(other)).toMatchObject([{ status: 'approved', canceled: false }])
  harness.clock.advance(8 * DAY_MS)
  finance = await operator()
  await expect(cancel(other)).rejects.toMatchObject({ code: 'no_commissions' })
  const { db, vault } = harness.context
  const { ok, output } = await runAdmin(['books'], db, vault, harness.clock.now())
  expect(output).toContain('Every cent is accounted for.')
  expect(ok).toBe(true)
})

test('one person sees their own alone, and only who approves payouts sees and decides all', async () => {
  const { _id } = await apply()
  expect(await own(moderator)).toEqual([])
  const refused = { status: 403, code: 'permission_required' }
  const as = harness.api.as(referrer)
  await expect(as.call(routes.allSubredditAffiliates, { query: {} })).rejects.toMatchObject(refused)
  await expect(decide(_id, { decision: 'approve' }, as)).rejects.toMatchObject(refused)
})
