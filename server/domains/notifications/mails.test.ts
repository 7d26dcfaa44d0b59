import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../../contract/index.ts'
import { Delivery, type NotificationEvent, type NotificationKind } from '../../../contract/notifications.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
  US_ACCOUNT,
} from '../../testing/builders.ts'
import { buildGrant } from '../../testing/grants.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { insertPurchase } from '../../testing/purchases.ts'
import { buildAccount, emailsTo, leave, PASSWORD, setUpApp } from '../../testing/security.ts'
import { notify } from './actions.ts'

/** Security row 50: nobody can make the product mail a stranger often. Every kind of mail names the calls that cause it. */

const HOUR_MS = 3600 * 1000
const OPERATOR = 'team@operator.test'
type Kind = Delivery['message']['kind']

/** A kind without its calls does not compile, and a call without a way to make it fails below. */
const CALLS = {
  'email.confirm': ['signup', 'resendEmailConfirmation', 'changeEmail', 'editProfile'],
  'email.taken': ['changeEmail', 'editProfile'],
  'email.change-requested': ['changeEmail', 'editProfile'],
  'password.reset': ['requestReset'],
  'password.changed': ['changePassword', 'updatePassword'],
  'factor.added': ['confirmTotp', 'addPasskey'],
  'factor.removed': ['removeTotp', 'removePasskey'],
  'recovery-code.used': ['finishLogin', 'reauthenticate'],
  'deletion.requested': ['deleteAccount'],
  'deletion.undone': ['login', 'finishLogin'],
  'export.ready': ['requestExport'],
  'payment.refunded': ['refund'],
  'sale.refunded': ['refund'],
  'sale.disputed': ['openDispute', 'decideDispute'],
  // Of a subscription jobs tell, and the payment of a period, which there is once.
  'subscription.renewing': [],
  'purchase.receipt': [],
  'subscription.renewed': [],
  'subscription.declined': [],
  'subscription.ended': [],
  'subscription.price-changed': ['editSubscription'],
  'subscription.extended': ['giveFreeDays', 'extendSubscription'],
  // Messages come by sockets, and a job tells of those that nobody reads.
  'message.received': [],
  'custom.changed': [
    'createCustomRequest',
    'acceptCustomRequest',
    'declineCustomRequest',
    'deliverCustomRequest',
  ],
  // A purchase tells of the one, and a job of the other.
  'custom.sold': [],
  'mass-message.changed': [],
  'creator.leaving': ['deleteAccount'],
  'follower.added': ['toggleFollow'],
  'sale.made': ['purchase'],
  'subscriber.added': ['purchase'],
  'subscriber.canceled': ['cancelSubscription'],
  // A job tells of it.
  'subscriber.ended': [],
  'tip.received': ['purchase'],
  // By operators, and by files of one's own.
  'payout.changed': [],
  'bank-details.changed': ['saveBankDetails'],
  'shared-code.changed': ['createSharedCode', 'editSharedCode'],
  'subreddit.decided': [],
  // When the forum took a grant back, and on a day that one chose oneself.
  'forum.reconnect': [],
  'verification.reminder': [],
  'subreddit.changed': [],
  'post.changed': [],
  'media.ready': [],
  'media.failed': [],
  'media.quarantined': [],
  // A job sends one a day.
  'notifications.digest': [],
  'contact.message': ['contact'],
} as const satisfies Record<Kind, readonly RouteName[]>

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ environment: { OPERATOR_EMAIL: OPERATOR, EXPORTS_A_DAY: '50' } })
})
afterAll(() => harness?.stop())

const fresh = () => `${crypto.randomUUID().slice(0, 13)}@example.test`
const account = (options: { email?: string; verified?: boolean } = {}) => buildAccount(harness, options)
const as = (person: { token: string }) => harness.api.as(person)
const post = (path: string, body: object, person?: Person) =>
  (person ? as(person) : harness.api.visitor()).send('POST', path, { body })
const reauthenticated = async ({ id }: Person) => ({
  token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }),
})
const profileOf = ({ username }: Person, email: string) => ({
  firstName: 'Ada',
  username,
  redditUsername: 'ada',
  email,
})
const loseAccount = (person: Person) => leave(harness, person)
const logIn = ({ email }: Person) => post('/auth/login', { email, password: PASSWORD })

/** What anybody can do to an address that is not theirs, each with an account of its own where one is needed. */
const BY_STRANGERS: Partial<Record<RouteName, (address: string) => Promise<unknown>>> = {
  signup: async (email) => {
    const username = `s_${crypto.randomUUID().slice(0, 8)}`
    const person = {
      firstName: 'Ada',
      username,
      redditUsername: 'ada',
      password: PASSWORD,
      isCreator: 'false',
    }
    await post('/users/signup', { ...person, email })
  },
  resendEmailConfirmation: async (email) => {
    const holder = await holderOf(email)
    if (holder) await as(await reauthenticated(holder)).call(routes.resendEmailConfirmation, { body: {} })
  },
  requestReset: (email) => post('/auth/reset', { email }),
  changeEmail: async (email) => as(await account()).send('POST', '/users/changeemail', { body: { email } }),
  editProfile: async (email) => {
    const person = await account()
    await as(person).send('POST', '/users/editprofile', { body: profileOf(person, email) })
  },
  deleteAccount: async (email) => {
    const holder = await holderOf(email)
    if (holder) await leaveWith(holder)
  },
  createSharedCode: (email) => shareWith(email, 'from the start'),
  editSharedCode: (email) => shareWith(email, 'later'),
  toggleFollow: async (email) => {
    const holder = await holderOf(email)
    if (holder) await followed(holder)
  },
  giveFreeDays: async (email) => {
    const holder = await holderOf(email)
    if (holder) await giveTimeTo(holder)
  },
  createCustomRequest: (email) => askFor(email, 'creator'),
  acceptCustomRequest: (email) =>
    askFor(email, 'fan', ({ creator, requestId }) =>
      post('/users/customrequest/accept', { requestId }, creator),
    ),
  declineCustomRequest: (email) =>
    askFor(email, 'fan', ({ creator, requestId }) =>
      post('/users/customrequest/decline', { requestId }, creator),
    ),
  deliverCustomRequest: (email) => askFor(email, 'fan', deliver),
  extendSubscription: async (email) => {
    const holder = await holderOf(email)
    if (holder) await giveTimeTo(holder)
  },
  // Each needs a payment: what they tell is what is tried.
  purchase: async (email) => {
    const holder = await holderOf(email)
    if (!holder) return
    await wantAll(holder)
    const { id: person } = holder
    const { username: from, id: fromId } = await buildFan(harness)
    const [title, amount] = ['A photo', '$4']
    await tell({ kind: 'sale.made', person, data: { from, fromId, title, amount, item: 'single' } })
    await tell({ kind: 'subscriber.added', person, data: { from, fromId, title, amount } })
    await tell({ kind: 'tip.received', person, data: { from, fromId, amount } })
  },
  cancelSubscription: async (email) => {
    const holder = await holderOf(email)
    if (!holder) return
    await wantAll(holder)
    const { username: from, id: fromId } = await buildFan(harness)
    const data = { from, fromId, title: 'Everything', until: '2027-01-01' }
    await tell({ kind: 'subscriber.canceled', person: holder.id, data })
  },
  editSubscription: async (email) => {
    const holder = await holderOf(email)
    if (!holder) return
    const data = { title: 'Everything', creator: 'ada', before: '$4', amount: '$5', on: '2027-01-01' }
    await tell({
      kind: 'subscription.price-changed',
      person: holder.id,
      data: { ...data, state: 'asked', months: 1 },
    })
  },
}

/** Makes this person a creator who wants an email at once for all that others do. */
async function wantAll({ id }: Person): Promise<void> {
  const { db } = harness.context
  await db.updateTable('users').set({ is_creator: true }).where('id', '=', id).execute()
  const wanted = (['sales', 'subscribers', 'followers'] as const).map((topic) => {
    return { user_id: id, topic, email: 'now' as const, push: false }
  })
  await db
    .insertInto('notification_preferences')
    .values(wanted)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Asked = { fan: Person; creator: Person; requestId: string }

/** Somebody asks the holder of this address for something custom, as a creator, or the holder asks somebody who answers. */
async function askFor(
  email: string,
  as: 'creator' | 'fan',
  answer: (asked: Asked) => Promise<unknown> = async () => {},
) {
  const holder = await holderOf(email)
  if (!holder) return
  const { db, clock } = harness.context
  const token = await buildSession(harness, holder.id)
  const [fan, creator] =
    as === 'fan'
      ? [{ ...holder, token }, await buildCreator(harness)]
      : [await buildUser(harness), { ...holder, token }]
  if (as === 'creator') {
    await db.updateTable('users').set({ is_creator: true }).where('id', '=', creator.id).execute()
    const body = { creatorId: creator.id, requestMessage: 'A song', maxMinutes: 3, pricePerMinute: '$2' }
    await post('/users/create/customrequest', body, fan)
    return
  }
  const { id: requestId } = await db
    .insertInto('custom_requests')
    .values({
      ...{ fan_id: fan.id, creator_id: creator.id, message: 'A song', created_at: clock.now() },
      ...{ max_minutes: 3, minute_price_cents: 200 },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Creators write to those who follow them.
  const follow = { follower_id: fan.id, following_id: creator.id, created_at: clock.now() }
  await db.insertInto('follows').values(follow).execute()
  await answer({ fan, creator, requestId })
}

async function deliver({ fan, creator, requestId }: Asked): Promise<void> {
  const { db, clock } = harness.context
  const terms = { status: 'accepted' as const, price_cents: 600, delivery_days: 7, answered_at: clock.now() }
  await db.updateTable('custom_requests').set(terms).where('id', '=', requestId).execute()
  const sold = { buyer_id: fan.id, creator_id: creator.id, kind: 'custom' as const, item_id: requestId }
  await insertPurchase(db, { ...sold, amount_cents: 600, status: 'captured', created_at: clock.now() })
  const body = { requestId, mediaIds: [await buildMedia(harness, creator)] }
  await post('/users/customrequest/deliver', body, creator)
}

/** Somebody follows this person, a creator who wants an email for each follower. */
async function followed(holder: Person): Promise<void> {
  await wantAll(holder)
  await as(await account()).send('POST', '/users/follow', { body: { followingId: holder.id } })
}

/** A creator whom this person follows gives them free days, and then a month. */
async function giveTimeTo(fan: Person): Promise<void> {
  const creator = await buildCreator(harness)
  const gift = { subscriberId: fan.id, subscriptionId: await buildPlan(harness, creator) }
  const follow = { follower_id: fan.id, following_id: creator.id, created_at: harness.clock.now() }
  await harness.context.db.insertInto('follows').values(follow).execute()
  await post('/users/updatesubscribersubscription2', { ...gift, days: 7 }, creator)
  await post('/users/updatesubscribersubscription', { ...gift, months: 1 }, creator)
}

/** Creators share a code with this person, one from the start, and one who adds them later. */
async function shareWith(email: string, when: 'from the start' | 'later'): Promise<void> {
  const holder = await holderOf(email)
  if (!holder) return
  const api = as(await buildCreator(harness))
  const [first, then] = when === 'later' ? [[], [holder.id]] : [[holder.id], null]
  const { _id, participantIds, lastUpdateAt } = await api.call(routes.createSharedCode, {
    body: { title: 'Team', participantIds: first },
  })
  if (then)
    await api.call(routes.editSharedCode, {
      body: { sharedRefId: _id, lastUpdateAt, title: 'Team', participantIds: [...participantIds, ...then] },
    })
}

async function holderOf(email: string): Promise<Person | null> {
  const row = await harness.context.db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ? { ...row, token: '' } : null
}

/** A creator of whom this person bought something deletes the account. */
async function leaveWith(buyer: Person): Promise<void> {
  const creator = await buildCreator(harness)
  const mediaId = await buildMedia(harness, creator)
  await buildGrant(harness, buyer, [mediaId])
  await leave(harness, creator)
}

/** What somebody can do with an account of their own, each time making one more mail to it. */
const BY_OWNER: Partial<Record<RouteName, (person: Person, time: number) => Promise<unknown>>> = {
  changeEmail: async (person) =>
    as(await reauthenticated(person)).send('POST', '/users/changeemail', { body: { email: fresh() } }),
  editProfile: (person) =>
    as(person).send('POST', '/users/editprofile', { body: profileOf(person, fresh()) }),
  changePassword: (person) =>
    post('/users/changepassword', { currentPassword: PASSWORD, password: PASSWORD }, person),
  updatePassword: async ({ id }) => {
    const { db, clock } = harness.context
    const { issueReset } = await import('../identity/passwords/changing/actions.ts')
    const path = await db.transaction().execute((tx) => issueReset(tx, { userId: id, now: clock.now() }))
    await post('/auth/updatepassword', { userId: id, token: path.split('/')[3], password: PASSWORD })
  },
  confirmTotp: async (person) => {
    const api = as(await reauthenticated(person))
    await api.send('POST', '/users/secondfactor/totp/remove', { body: {} })
    await setUpApp(harness, api)
  },
  removeTotp: async (person) => {
    const api = as(await reauthenticated(person))
    await setUpApp(harness, api)
    await api.call(routes.removeTotp, {})
  },
  finishLogin: async (person, time) => {
    const codes = await codesOf(person)
    const answer = await logIn(person)
    const { secondFactor } = answer.body as { secondFactor: { challengeId: string } }
    const body = { challengeId: secondFactor.challengeId, recoveryCode: codes[time] }
    expect((await post('/auth/secondfactor', body)).status).toBe(200)
  },
  reauthenticate: async (person, time) => {
    const codes = await codesOf(person)
    const api = as(await reauthenticated(person))
    const { challengeId } = await api.call(routes.startReauthentication, {})
    await api.call(routes.reauthenticate, { body: { challengeId, recoveryCode: codes[time] ?? '' } })
  },
  deleteAccount: async (person) => {
    await loseAccount(person)
    await harness.context.db.deleteFrom('account_deletions').where('user_id', '=', person.id).execute()
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: null })
      .where('id', '=', person.id)
      .execute()
  },
  login: async (person) => {
    await loseAccount(person)
    expect((await logIn(person)).status).toBe(200)
  },
  saveBankDetails: async (person) => {
    const body = { accountHolder: 'Ada Lovelace', country: 'US', ...US_ACCOUNT }
    await as(await reauthenticated(person)).call(routes.saveBankDetails, { body })
  },
  requestExport: async (person) => {
    await as(await reauthenticated(person)).call(routes.requestExport, {})
    await harness.runJobs()
  },
  // By an operator, who needs a payment for it: what it tells is what is tried.
  refund: ({ id: person }) =>
    tell({ kind: 'payment.refunded', person, data: { title: 'A photo', amount: '$4', access: 'none' } }),
  openDispute: ({ id: person }) =>
    tell({ kind: 'sale.disputed', person, data: { title: 'A photo', amount: '$4', state: 'opened' } }),
  decideDispute: ({ id: person }) =>
    tell({ kind: 'sale.disputed', person, data: { title: 'A photo', amount: '$4', state: 'lost' } }),
}

async function tell(event: NotificationEvent): Promise<void> {
  const { db, clock } = harness.context
  await db.transaction().execute((tx) => notify(tx, event, { now: clock.now() }))
}

const codes = new Map<string, string[]>()
async function codesOf(person: Person): Promise<string[]> {
  const known = codes.get(person.id)
  if (known) return known
  const { recoveryCodes } = await setUpApp(harness, as(await reauthenticated(person)))
  codes.set(person.id, recoveryCodes)
  return recoveryCodes
}

/** Passkeys need a browser; they tell by the same two actions as the app, which the calls of the app try. */
const LIKE_THE_APP: RouteName[] = ['addPasskey', 'removePasskey']

test('every call that mails is tried', () => {
  const tried = [...Object.keys(BY_STRANGERS), ...Object.keys(BY_OWNER), ...LIKE_THE_APP, 'contact']
  expect(new Set(tried)).toEqual(new Set(Object.values(CALLS).flat()))
  expect(Object.keys(CALLS).toSorted()).toEqual(
    Delivery.shape.message.options.map(({ shape }) => shape.kind.value).toSorted(),
  )
})

describe('to an address of a stranger', () => {
  test.each([
    ['without an account', null],
    ['with a confirmed account', { verified: true }],
    ['with an unconfirmed account', { verified: false }],
  ])(
    '%s: all calls, one by one and at once, make at most 3 mails an hour, in the next hour too',
    async (_what, holder) => {
      const address = fresh()
      if (holder) await account({ email: address, ...holder })
      const calls = Object.values(BY_STRANGERS)
      let mails = 0
      for (let hour = 1; hour <= 2; hour++) {
        for (const call of calls) for (let time = 0; time < 2; time++) await call(address)
        await Promise.all(calls.flatMap((call) => [call(address), call(address), call(address)]))
        const { length } = await emailsTo(harness, address)
        expect(length - mails).toBeGreaterThan(0)
        expect(length - mails).toBeLessThanOrEqual(3)
        mails = length
        harness.clock.advance(HOUR_MS)
      }
    },
  )

  test.each(Object.keys(BY_STRANGERS) as RouteName[])('%s alone, 10 at once: at most 3', async (name) => {
    const address = fresh()
    if (name !== 'signup') await account({ email: address, verified: name !== 'resendEmailConfirmation' })
    await Promise.all(Array.from({ length: 10 }, () => BY_STRANGERS[name]?.(address)))
    const { length } = await emailsTo(harness, address)
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThanOrEqual(3)
  })
})

describe('to the own address', () => {
  test.each(Object.keys(BY_OWNER) as RouteName[])(
    '%s, 5 times in an hour: at most 3 of a kind',
    async (name) => {
      const person = await account()
      for (let time = 0; time < 5; time++) await BY_OWNER[name]?.(person, time)
      const mails = await emailsTo(harness, person.email)
      const counts = Map.groupBy(mails, ({ subject }) => subject)
      const caused = Object.entries(CALLS).filter(([, calls]) =>
        (calls as readonly RouteName[]).includes(name),
      )
      expect(caused.length).toBeGreaterThan(0)
      expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBe(3)
      const told = await harness.context.db
        .selectFrom('notifications')
        .select('kind')
        .where('user_id', '=', person.id)
        .execute()
      const kinds = new Set<NotificationKind>(told.map(({ kind }) => kind))
      expect(caused.some(([kind]) => kinds.has(kind as NotificationKind))).toBe(true)
    },
  )
})

test('the operator alone gets what anybody writes, 5 an hour from one network', () => {
  expect(routes.contact.rateLimit).toEqual({ points: 5, seconds: 3600 })
})
