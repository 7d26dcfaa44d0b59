import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { notificationPath } from '../../../../contract/notification-paths.ts'
import { type NotificationEvent, topicOf } from '../../../../contract/notifications.ts'
import type { Context } from '../../../context.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { enqueue, enqueueMany, type LATER } from '../../../jobs/enqueue.ts'
import type { PushSubscription } from '../../../ports/push/port.ts'
import { presentTold } from '../inbox/present.ts'
import { findWanted, type Wanted } from '../settings/data.ts'
import { afterQuiet } from '../settings/rules.ts'
import { findPush, findSubscription, findUnreadText, isFollowed, listSubscriptions } from './data.ts'
import { deliveryOf, retryIn, tagOf, titleOf } from './rules.ts'

const PURPOSE = 'push subscription'
/** Names the key of what a push service sees of a tag: the same for one browser, and for no other. */
const TOPIC_PURPOSE = 'push topic'
/** Characters of a topic that a push service takes. */
const TOPIC_LENGTH = 32
/** Browsers of one account; of more the oldest is forgotten. */
const MAX_BROWSERS = 20
/** Characters of a message that push shows. */
const SHOWN_TEXT = 160

export type PushJob = { notificationId: string; subscriptionId: string; tries: number }

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('base64url')

/** Sends notifications to the browser of this session from now on, and forgets what it was reached by before. */
export async function addSubscription(
  tx: Tx,
  vault: Vault,
  {
    viewer,
    subscription,
    now,
  }: { viewer: { id: string; sessionId: string }; subscription: PushSubscription; now: Date },
): Promise<void> {
  const { id: user_id, sessionId: session_id } = viewer
  const endpoint_hash = hashOf(subscription.endpoint)
  const sealed = vault.seal(PURPOSE, endpoint_hash, JSON.stringify(subscription))
  // A browser that somebody else was logged in on is this person's now.
  const set = { user_id, session_id, sealed_subscription: sealed, created_at: now }
  // Who else names the same address waits until this one is stored.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${endpoint_hash}`}, 0))`.execute(tx)
  const known = tx.selectFrom('push_subscriptions').select('id').where('endpoint_hash', '=', endpoint_hash)
  const own = tx.selectFrom('push_subscriptions').select('id').where('session_id', '=', session_id)
  // Its row stays, as what waits for the end of quiet hours names it.
  await tx
    .updateTable('push_subscriptions')
    .set({ endpoint_hash, ...set })
    .where('id', '=', own.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1))
    .where(({ not, exists }) => not(exists(known)))
    .execute()
  await tx
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', session_id)
    .where('endpoint_hash', '<>', endpoint_hash)
    .execute()
  await tx
    .insertInto('push_subscriptions')
    .values({ endpoint_hash, ...set })
    .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(set))
    .execute()
  await tx
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select('id')
        .where('user_id', '=', user_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_BROWSERS),
    )
    .execute()
}

/** Goes on with the session of the browser that was reached by `before`, by its new address. */
export async function replaceSubscription(
  tx: Tx,
  vault: Vault,
  { before, subscription, now }: { before: PushSubscription; subscription: PushSubscription; now: Date },
): Promise<void> {
  const endpointHash = hashOf(before.endpoint)
  const found = await findSubscription(tx, endpointHash, now)
  if (!found) throw new AppError('push_unavailable')
  const kept = JSON.parse(vault.open(PURPOSE, endpointHash, found.sealed)) as PushSubscription
  const [known, given] = [kept, before].map(({ keys }) => Buffer.from(keys.auth, 'base64url'))
  if (!known || !given || !timingSafeEqual(known, given)) throw new AppError('push_unavailable')
  await addSubscription(tx, vault, { viewer: found, subscription, now })
}

/** Sends no more notifications to the browser of this session, or to all others of the account. */
export async function removeSubscriptions(
  tx: Tx,
  { id, sessionId }: { id: string; sessionId: string },
  which: 'here' | 'others',
): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', id)
    .where('session_id', which === 'here' ? '=' : '<>', sessionId)
    .execute()
}

/** A new notification of an account, and the channels that the account wants. */
export type Told = { id: string; event: NotificationEvent; actorId: string | null; wanted: Wanted }

/** Pushes what was just told to the accounts' browsers, after their quiet hours: the newest of each tag then. */
export async function pushLater(
  tx: Tx,
  told: Told[],
  { now, priority }: { now: Date; priority?: typeof LATER | undefined },
): Promise<void> {
  const pushed = told.filter(({ wanted }) => wanted.push)
  if (pushed.length === 0) return
  const people = [...new Set(pushed.map(({ event }) => event.person))]
  const browsers = Map.groupBy(await listSubscriptions(tx, people, now), ({ userId }) => userId)
  const jobs = pushed.flatMap(({ id: notificationId, event, actorId, wanted }) => {
    const runAt = topicOf[event.kind] === 'security' ? now : afterQuiet(now, wanted.day)
    return (browsers.get(event.person) ?? []).map(({ id: subscriptionId }) => {
      const later = runAt > now ? { runAt, key: keyOf(subscriptionId, tagOf(event.kind, actorId)) } : {}
      return { payload: { notificationId, subscriptionId, tries: 1 }, ...later }
    })
  })
  await enqueueMany(tx, 'notifications.push', jobs, { priority })
}

/** Of what waits for the end of quiet hours a browser gets one of each tag. */
const keyOf = (subscriptionId: string, tag: string) => `push ${subscriptionId} ${tag}`

/**
 * Sends one notification to one browser, unless it was read meanwhile, or isn't wanted anymore; in quiet hours after them,
 * as they may have started, or been changed, since it was told.
 */
export async function push(context: Context, job: PushJob): Promise<void> {
  const { db, clock, vault, log } = context
  const { subscriptionId, notificationId, tries } = job
  const now = clock.now()
  const found = context.push && (await findPush(db, { subscriptionId, notificationId, now }))
  if (!context.push || !found) return
  const wanted = await findWanted(db, { person: found.user_id, kind: found.kind })
  if (!wanted.push) return
  const tag = tagOf(found.kind, found.actor_id)
  const quietUntil = topicOf[found.kind] === 'security' ? now : afterQuiet(now, wanted.day)
  if (quietUntil > now) {
    if (await isFollowed(db, { notificationId, topic: topicOf[found.kind] })) return
    const later = { runAt: quietUntil, key: keyOf(subscriptionId, tag) }
    return db.transaction().execute((tx) => enqueue(tx, 'notifications.push', job, later))
  }
  const sealed = vault.open(PURPOSE, found.endpoint_hash, found.sealed_subscription)
  const subscription = JSON.parse(sealed) as PushSubscription
  const event = presentTold(found)
  const text = await textOf(context, event, found.user_id, wanted)
  const delivery = deliveryOf(topicOf[found.kind])
  const renotify = delivery.urgency !== 'low'
  const payload = {
    id: notificationId,
    kind: found.kind,
    path: notificationPath(event),
    tag,
    renotify,
    ...text,
  }
  const outcome = await context.push.send(subscription, {
    payload: JSON.stringify(payload),
    topic: context.signer.sign(TOPIC_PURPOSE, `${subscriptionId} ${tag}`).slice(0, TOPIC_LENGTH),
    ...delivery,
  })
  if (outcome === 'sent') return
  if (outcome === 'refused') return log.warn({ kind: found.kind }, 'a push service refused a notification')
  if (outcome === 'gone') {
    await db.transaction().execute((tx) => forget(tx, { subscriptionId, endpointHash: found.endpoint_hash }))
    return
  }
  const wait = retryIn(tries, outcome.retryAfterSeconds)
  if (wait === null)
    return log.warn({ kind: found.kind }, 'a push service stayed busy; a notification was given up')
  const runAt = new Date(now.getTime() + wait * 1000)
  await db
    .transaction()
    .execute((tx) => enqueue(tx, 'notifications.push', { ...job, tries: tries + 1 }, { runAt }))
}

/** Forgets an address that is gone, not the one that may have replaced it meanwhile. */
async function forget(
  tx: Tx,
  { subscriptionId, endpointHash }: { subscriptionId: string; endpointHash: string },
): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('id', '=', subscriptionId)
    .where('endpoint_hash', '=', endpointHash)
    .execute()
}

/** Title and text: who wrote and what only for whom wants to see that. */
async function textOf(
  { db, config }: Context,
  event: Pick<NotificationEvent, 'kind' | 'data'>,
  userId: string,
  { showMessageText }: Wanted,
): Promise<{ title: string; body: string }> {
  if (event.kind !== 'message.received' || !showMessageText || !('senderId' in event.data))
    return { title: titleOf(event), body: config.BRAND_NAME }
  const { from, senderId } = event.data
  const text = await findUnreadText(db, { userId, senderId })
  return { title: from, body: text ? [...text].slice(0, SHOWN_TEXT).join('') : titleOf(event) }
}

/** Encrypts every browser's address with the newest secret; answers how many were encrypted with another one. */
export async function resealSubscriptions(tx: Tx, vault: Vault): Promise<number> {
  const rows = await tx.selectFrom('push_subscriptions').selectAll().forUpdate().execute()
  const old = rows.filter(({ sealed_subscription }) => !vault.isCurrent(sealed_subscription))
  for (const { id, endpoint_hash, sealed_subscription } of old) {
    const text = vault.open(PURPOSE, endpoint_hash, sealed_subscription)
    await tx
      .updateTable('push_subscriptions')
      .set({ sealed_subscription: vault.seal(PURPOSE, endpoint_hash, text) })
      .where('id', '=', id)
      .execute()
  }
  return old.length
}
