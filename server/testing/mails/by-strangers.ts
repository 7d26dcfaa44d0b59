import { type RouteName, routes } from '../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../builders.ts'
import { buildGrant } from '../grants.ts'
import type { Harness } from '../harness.ts'
import { insertPurchase } from '../purchases.ts'
import { buildAccount, leave, PASSWORD, reauthenticatedApi } from '../security.ts'
import { post, profileOf, tell } from './telling.ts'

/** What anybody can do to an address that is not theirs, each with an account of its own where one is needed. */
export const BY_STRANGERS: Partial<
  Record<RouteName, (harness: Harness, address: string) => Promise<unknown>>
> = {
  signup: async (harness, email) => {
    const username = `s_${crypto.randomUUID().slice(0, 8)}`
    const person = {
      firstName: 'Ada',
      username,
      redditUsername: 'ada',
      password: PASSWORD,
      isCreator: 'false',
    }
    await post(harness, '/users/signup', { ...person, email })
  },
  resendEmailConfirmation: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (holder)
      await (await reauthenticatedApi(harness, holder)).call(routes.resendEmailConfirmation, {
        body: {},
      })
  },
  requestReset: (harness, email) => post(harness, '/auth/reset', { email }),
  changeEmail: async (harness, email) =>
    harness.api.as(await buildAccount(harness)).send('POST', '/users/changeemail', { body: { email } }),
  editProfile: async (harness, email) => {
    const person = await buildAccount(harness)
    await harness.api.as(person).send('POST', '/users/editprofile', { body: profileOf(person, email) })
  },
  deleteAccount: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (holder) await leaveWith(harness, holder)
  },
  createSharedCode: (harness, email) => shareWith(harness, email, 'from the start'),
  editSharedCode: (harness, email) => shareWith(harness, email, 'later'),
  toggleFollow: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (holder) await followed(harness, holder)
  },
  giveFreeDays: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (holder) await giveTimeTo(harness, holder)
  },
  createCustomRequest: (harness, email) => askFor(harness, email, 'creator'),
  acceptCustomRequest: (harness, email) =>
    askFor(harness, email, 'fan', ({ creator, requestId }) =>
      post(harness, '/users/customrequest/accept', { requestId }, creator),
    ),
  declineCustomRequest: (harness, email) =>
    askFor(harness, email, 'fan', ({ creator, requestId }) =>
      post(harness, '/users/customrequest/decline', { requestId }, creator),
    ),
  deliverCustomRequest: (harness, email) => askFor(harness, email, 'fan', (asked) => deliver(harness, asked)),
  extendSubscription: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (holder) await giveTimeTo(harness, holder)
  },
  // Each needs a payment: what they tell is what is tried.
  purchase: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (!holder) return
    await wantAll(harness, holder)
    const { id: person } = holder
    const { username: from, id: fromId } = await buildFan(harness)
    const [title, amount] = ['A photo', '$4']
    await tell(harness, { kind: 'sale.made', person, data: { from, fromId, title, amount, item: 'single' } })
    await tell(harness, { kind: 'subscriber.added', person, data: { from, fromId, title, amount } })
    await tell(harness, { kind: 'tip.received', person, data: { from, fromId, amount } })
  },
  payCustomRequest: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (!holder) return
    const { username: from, id: fromId } = await buildFan(harness)
    const data = { state: 'paid' as const, from, fromId, messageId: null, amount: '$4' }
    await tell(harness, { kind: 'custom.sold', person: holder.id, data })
  },
  cancelSubscription: async (harness, email) => {
    const holder = await holderOf(harness, email)
    if (!holder) return
    await wantAll(harness, holder)
    const { username: from, id: fromId } = await buildFan(harness)
    const data = { from, fromId, title: 'Everything', until: '2027-01-01' }
    await tell(harness, { kind: 'subscriber.canceled', person: holder.id, data })
  },
}

/** Makes this person a creator who wants an email at once for all that others do. */
async function wantAll(harness: Harness, { id }: Person): Promise<void> {
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
  harness: Harness,
  email: string,
  as: 'creator' | 'fan',
  answer: (asked: Asked) => Promise<unknown> = async () => {},
) {
  const holder = await holderOf(harness, email)
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
    await post(harness, '/users/create/customrequest', body, fan)
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

async function deliver(harness: Harness, { fan, creator, requestId }: Asked): Promise<void> {
  const { db, clock } = harness.context
  const terms = { status: 'accepted' as const, price_cents: 600, delivery_days: 7, answered_at: clock.now() }
  await db.updateTable('custom_requests').set(terms).where('id', '=', requestId).execute()
  const sold = { buyer_id: fan.id, creator_id: creator.id, kind: 'custom' as const, item_id: requestId }
  await insertPurchase(db, { ...sold, amount_cents: 600, status: 'captured', created_at: clock.now() })
  const body = { requestId, mediaIds: [await buildMedia(harness, creator)] }
  await post(harness, '/users/customrequest/deliver', body, creator)
}

/** Somebody follows this person, a creator who wants an email for each follower. */
async function followed(harness: Harness, holder: Person): Promise<void> {
  await wantAll(harness, holder)
  await harness.api.as(await buildAccount(harness)).send('POST', '/users/follow', {
    body: { followingId: holder.id },
  })
}

/** A creator whom this person follows gives them free days, and then a month. */
async function giveTimeTo(harness: Harness, fan: Person): Promise<void> {
  const creator = await buildCreator(harness)
  const gift = { subscriberId: fan.id, subscriptionId: await buildPlan(harness, creator) }
  const follow = { follower_id: fan.id, following_id: creator.id, created_at: harness.clock.now() }
  await harness.context.db.insertInto('follows').values(follow).execute()
  await post(harness, '/users/updatesubscribersubscription2', { ...gift, days: 7 }, creator)
  await post(harness, '/users/updatesubscribersubscription', { ...gift, months: 1 }, creator)
}

/** Creators share a code with this person, one from the start, and one who adds them later. */
async function shareWith(harness: Harness, email: string, when: 'from the start' | 'later'): Promise<void> {
  const holder = await holderOf(harness, email)
  if (!holder) return
  const api = harness.api.as(await buildCreator(harness))
  const [first, then] = when === 'later' ? [[], [holder.id]] : [[holder.id], null]
  const { _id, participantIds, lastUpdateAt } = await api.call(routes.createSharedCode, {
    body: { title: 'Team', participantIds: first },
  })
  if (then)
    await api.call(routes.editSharedCode, {
      body: { sharedRefId: _id, lastUpdateAt, title: 'Team', participantIds: [...participantIds, ...then] },
    })
}

async function holderOf(harness: Harness, email: string): Promise<Person | null> {
  const row = await harness.context.db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ? { ...row, token: '' } : null
}

/** A creator of whom this person bought something deletes the account. */
async function leaveWith(harness: Harness, buyer: Person): Promise<void> {
  const creator = await buildCreator(harness)
  const mediaId = await buildMedia(harness, creator)
  await buildGrant(harness, buyer, [mediaId])
  await leave(harness, creator)
}
