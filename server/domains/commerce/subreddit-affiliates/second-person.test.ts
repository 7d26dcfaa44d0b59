import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Role } from '../../../../contract/permissions.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { findBooks } from '../ledger/books/data.ts'

let harness: Harness
let referrer: Person
let moderator: Person
let first: Operator
let second: Operator
let applicationId: string
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  // Operators of other tests aren't there in this one.
  await harness.context.db.updateTable('users').set({ role: null }).where('role', 'is not', null).execute()
  referrer = await buildCreator(harness)
  moderator = await buildFan(harness)
  first = await operator()
  second = await operator()
  applicationId = await apply(harness.api.as(referrer))
})

type Operator = Person & { api: Api }
async function operator(role: Role = 'finance'): Promise<Operator> {
  const person = await buildUser(harness, { role })
  const token = await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() })
  return { ...person, api: harness.api.as({ token }) }
}

async function apply(by: Api): Promise<string> {
  const subreddit = `Gardens_${crypto.randomUUID().slice(0, 8)}`
  return (await by.call(routes.applyForSubreddit, { body: { subreddit, subscribers: 2500 } }))._id
}

const TERMS = { restrictions: 'As long as our link stands in the sidebar.', reason: 'Checked' }
const approve = (by: Operator, more: { subscribers?: number; moderator?: string } = {}) =>
  by.api.call(routes.decideSubreddit, {
    body: { applicationId, decision: 'approve', moderator: moderator.username, ...TERMS, ...more },
  })
const pay = (by: Operator, username = moderator.username) =>
  by.api.call(routes.paySubredditShare, {
    body: { applicationId, moderator: username, reason: 'Wrote from the modmail' },
  })
const pending = async (...people: Person[]) => {
  const balances = people.map((person) => harness.api.as(person).call(routes.balance, { query: {} }))
  return (await Promise.all(balances)).map((balance) => balance.pending)
}
const listed = async (by: Operator, showing: 'open' | 'held' | 'all') => {
  const { items } = await by.api.call(routes.allSubredditAffiliates, { query: { showing } })
  return items.find(({ _id }) => _id === applicationId)
}
const WAITS = { success: true, waits: true }
const DONE = { success: true, waits: false }
const alone = () =>
  harness.context.db.updateTable('users').set({ role: null }).where('id', '=', second.id).execute()

test('what one operator approves is paid once another has approved the same', async () => {
  expect(await approve(first)).toEqual(WAITS)
  expect(await pending(referrer, moderator)).toEqual(['$0', '$0'])
  expect(await listed(first, 'open')).toBeUndefined()
  const proposal = {
    ...{ subscribers: 2500, restrictions: TERMS.restrictions, reason: 'Checked' },
    ...{ by: { _id: first.id }, moderator: { _id: moderator.id } },
  }
  expect(await listed(first, 'all')).toMatchObject({ status: 'applied', proposal })
  expect(await listed(second, 'open')).toMatchObject({ status: 'applied', proposal })
  // Nobody is the second person of their own proposal.
  expect(await approve(first)).toEqual(WAITS)
  expect(await pending(referrer, moderator)).toEqual(['$0', '$0'])
  expect(await approve(second)).toEqual(DONE)
  expect(await pending(referrer, moderator)).toEqual(['$25', '$25'])
  expect(await listed(second, 'all')).toMatchObject({ status: 'approved', proposal: null })
  const { db } = harness.context
  const log = await db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'detail'])
    .where('target_id', '=', applicationId)
    .orderBy('id')
    .execute()
  expect(log).toMatchObject([
    { action: 'subreddit.proposed', actor_id: first.id, detail: { subscribers: 2500 } },
    { action: 'subreddit.proposed', actor_id: first.id },
    { action: 'subreddit.approved', actor_id: second.id, detail: { proposedBy: first.id, cents: 2500 } },
  ])
  expect((await findBooks(db)).discrepancies).toEqual([])
})

test.each([
  { differs: 'the number', more: { subscribers: 75_000_000 } },
  { differs: 'who gets the share', more: { moderator: undefined } },
])('other terms are a proposal of their own: $differs', async ({ more }) => {
  await approve(first)
  const other = more.subscribers ? more : { moderator: (await buildFan(harness)).username }
  expect(await approve(second, other)).toEqual(WAITS)
  expect(await approve(second, other)).toEqual(WAITS)
  expect(await listed(first, 'open')).toMatchObject({ proposal: { by: { _id: second.id } } })
  expect(await pending(referrer)).toEqual(['$0'])
  expect(await approve(first, other)).toEqual(DONE)
  expect(await pending(referrer)).toEqual([more.subscribers ? '$750,000' : '$25'])
})

test('who stands to earn neither proposes nor is the second person', async () => {
  await expect(approve(first, { moderator: first.username })).rejects.toMatchObject({
    code: 'own_application',
  })
  const third = await operator()
  await approve(first, { moderator: second.username })
  await expect(approve(second, { moderator: second.username })).rejects.toMatchObject({
    code: 'own_application',
  })
  expect(await approve(third, { moderator: second.username })).toEqual(DONE)

  applicationId = await apply(second.api)
  await approve(first)
  await expect(approve(second)).rejects.toMatchObject({ code: 'own_application' })
  expect(await approve(third)).toEqual(DONE)
})

test('however many approve at once, it is paid once', async () => {
  const third = await operator('superadmin')
  const answers = await Promise.allSettled([approve(first), approve(second), approve(third), approve(first)])
  const done = answers.filter((one) => one.status === 'fulfilled' && !one.value.waits)
  expect(done).toHaveLength(1)
  expect(await pending(referrer, moderator)).toEqual(['$25', '$25'])
})

test('where nobody else could, one operator is enough', async () => {
  await alone()
  // Neither who may do other things, nor who brought it, could.
  await operator('support')
  await harness.context.db
    .updateTable('users')
    .set({ role: 'finance' })
    .where('id', '=', referrer.id)
    .execute()
  expect(await approve(first)).toEqual(DONE)
  expect(await pending(referrer, moderator)).toEqual(['$25', '$25'])
})

test('nobody decides alone by naming the only other operator for the share', async () => {
  const toSecond = { moderator: second.username }
  expect(await approve(first, toSecond)).toEqual(WAITS)
  expect(await pending(referrer, second)).toEqual(['$0', '$0'])
  const body = { applicationId, decision: 'approve' as const, ...TERMS }
  expect(await second.api.call(routes.decideSubreddit, { body })).toEqual(WAITS)
  expect(await first.api.call(routes.decideSubreddit, { body })).toEqual(DONE)
  // The held share goes to the other operator alone.
  expect(await pay(first, second.username)).toEqual(DONE)
  expect(await pending(referrer, second)).toEqual(['$25', '$25'])
})

test('a proposal of somebody who is no operator anymore counts for nothing', async () => {
  const third = await operator()
  await approve(second)
  await alone()
  expect(await listed(first, 'open')).toMatchObject({ proposal: null })
  expect(await approve(first)).toEqual(WAITS)
  expect(await approve(third)).toEqual(DONE)
})

test('declining needs one person, and ends what was proposed', async () => {
  await approve(first)
  const body = { applicationId, decision: 'refuse' as const, reason: 'The moderators don’t know of it.' }
  expect(await second.api.call(routes.decideSubreddit, { body })).toEqual(DONE)
  expect(await listed(first, 'all')).toMatchObject({ status: 'refused', proposal: null })
  await expect(approve(second)).rejects.toMatchObject({ code: 'application_decided' })
  expect(await pending(referrer)).toEqual(['$0'])
})

test('a share that is held is paid to whom two people name', async () => {
  const body = { applicationId, decision: 'approve' as const, ...TERMS }
  for (const by of [first, second]) await by.api.call(routes.decideSubreddit, { body })
  expect(await pay(first)).toEqual(WAITS)
  expect(await listed(second, 'held')).toMatchObject({
    proposal: { by: { _id: first.id }, moderator: { _id: moderator.id }, subscribers: null },
  })
  expect(await pending(moderator)).toEqual(['$0'])
  const other = await buildFan(harness)
  expect(await pay(second, other.username)).toEqual(WAITS)
  expect(await pay(second, other.username)).toEqual(WAITS)
  expect(await pay(first)).toEqual(WAITS)
  const both = await Promise.allSettled([pay(second), pay(second)])
  expect(both.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual(
    expect.arrayContaining([DONE, 'share_not_held']),
  )
  expect(await pending(moderator, other)).toEqual(['$25', '$0'])
  expect((await findBooks(harness.context.db)).discrepancies).toEqual([])
})
