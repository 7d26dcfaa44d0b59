import { randomUUID } from 'node:crypto'
import {
  type Delivery,
  type MailRequest,
  type NotificationEvent,
  REQUIRED_TOPICS,
  topicOf,
} from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { enqueue, enqueueMany, type LATER, SOON } from '../../jobs/enqueue.ts'
import { publishEach } from '../../realtime/publish.ts'
import { findConfirmable, issueConfirmation } from '../identity/account/email/actions.ts'
import { findCredentials } from '../identity/data.ts'
import { issueReset } from '../identity/passwords/changing/actions.ts'
import { findOwner, lockMailsTo, type Recipient } from './data.ts'
import { leaveToSummary, scheduleDigests } from './digests/actions.ts'
import { listDigest } from './digests/data.ts'
import { digestOf } from './digests/present.ts'
import { renderEmail } from './emails/present.ts'
import type { EmailContext } from './emails/rules.ts'
import { findNotification } from './inbox/data.ts'
import { presentTold } from './inbox/present.ts'
import { pushLater, type Told } from './push/actions.ts'
import { HOUR_MS, isByOthers, isUnlimited, mailableAt, POSTPONED, type Scope, signedScope } from './rules.ts'
import { dayOf, findEachWanted, findSettings, findWanted, type Wanted } from './settings/data.ts'
import { afterQuiet, type LocalDay } from './settings/rules.ts'

/** Names the key of the hashes; with another name an hour's count starts over. */
const ADDRESS_PURPOSE = 'mail address'

type Mail = { to: string; subject: string; text: string; html: string; unsubscribeUrl?: string }

type Timing = { now: Date; mailAt?: Date }

/**
 * Tells an account something, once the caller's transaction commits: it is kept in its list, and sent by the channels
 * it wants: by email not before `mailAt`, and not if it was read by then. Of those with the same `once` an account gets one.
 */
export async function notify(
  db: Tx,
  event: NotificationEvent,
  { once, ...timing }: Timing & { once?: string },
): Promise<void> {
  await notifyEach(db, [{ event, once: once ?? null }], timing)
}

type Telling = { event: NotificationEvent; once: string | null }
type Sending = Timing & { priority?: typeof LATER | undefined }

/** How many are told by one statement, which has 65,535 parameters at most. */
const TOLD_AT_ONCE = 1000

/**
 * Tells several accounts something of one kind as `notify` does; emails with the priority `LATER` wait for all others
 * that are due.
 */
export async function notifyEach(db: Tx, events: Telling[], sending: Sending): Promise<void> {
  for (let told = 0; told < events.length; told += TOLD_AT_ONCE)
    await tellSome(db, events.slice(told, told + TOLD_AT_ONCE), sending)
}

async function tellSome(db: Tx, events: Telling[], { now, mailAt = now, priority }: Sending): Promise<void> {
  const told = await record(
    db,
    events.map(({ event, once }) => ({ id: randomUUID(), event: wellFormed(event), once })),
    { now, priority },
  )
  const digested = told.flatMap(({ event, wanted }) => {
    return isDigested(wanted) ? [[event.person, { email: wanted.email, wanted }] as const] : []
  })
  await scheduleDigests(db, new Map(digested), now)
  const mails = told
    .filter(({ event, wanted }) => wanted.email === 'now' || isRequired(event))
    .map(({ id, event, wanted }) => {
      const runAt = isRequired(event) ? now : afterQuiet(mailAt, wanted.day)
      return { payload: { id, message: event }, ...(runAt > now ? { runAt } : {}) }
    })
  await enqueueMany(db, 'notifications.send', mails, { priority: priority ?? mailPriority(told) })
}

/** No receipt and no news goes before a link that somebody waits for, or a warning of what happens to their account. */
const mailPriority = ([first]: Told[]) =>
  first && topicOf[first.event.kind] === 'security' ? undefined : SOON

/** The text of a notification without half a character, which the database refuses: a mark replaces it. */
const wellFormed = (event: NotificationEvent): NotificationEvent =>
  JSON.parse(JSON.stringify(event, (_key, part) => (typeof part === 'string' ? part.toWellFormed() : part)))

const isDigested = (wanted: Wanted): wanted is Wanted & { email: 'daily' | 'weekly' } =>
  wanted.email === 'daily' || wanted.email === 'weekly'

/** Mailed at once whatever is chosen; so is until when who is leaving can still save their earnings by a login. */
const isRequired = (event: NotificationEvent) =>
  REQUIRED_TOPICS.has(topicOf[event.kind]) || (event.kind === 'payout.changed' && Boolean(event.data.until))

/** Mails what somebody wrote to the operator, once the caller's transaction commits. */
export async function mailOperator(
  db: Tx,
  data: Extract<MailRequest, { kind: 'contact.message' }>['data'],
): Promise<void> {
  const message = { kind: 'contact.message' as const, data }
  await enqueue(db, 'notifications.send', { id: randomUUID(), message })
}

/** Sends one message by email; what the domains below tell is put into the list first. Safe to run again. */
export async function send(
  context: Context,
  { id, message, unlisted }: Delivery,
  run: { lastAttempt: boolean },
): Promise<void> {
  const now = context.clock.now()
  const mail = await context.db
    .transaction()
    .execute((db) => compose(db, context, { id, message, unlisted, now }))
  if (!mail) return
  // The same over all attempts, so that receivers can tell a repeated one.
  const messageId = `<${id}@${new URL(context.publicUrl).hostname}>`
  try {
    await context.mail.send({ ...mail, messageId })
  } catch (error) {
    // The mail server's answer may contain the address, so only its code is passed on.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const reason = `the mail server did not take the message (${code ?? 'no code'} ${responseCode ?? ''})`
    if (!run.lastAttempt) throw new Error(reason)
    context.log.error({ messageId, reason }, 'a mail was given up')
  }
}

/** Takes away what others were told of this person by name. */
export async function forgetPerson(db: Tx, userId: string): Promise<void> {
  await db.deleteFrom('notifications').where('actor_id', '=', userId).execute()
}

/** Forgets the mails that no longer count. */
export async function sweepMails(db: Tx, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_sends')
    .where('sent_at', '<=', new Date(now.getTime() - HOUR_MS))
    .execute()
}

/** Puts what is of one kind into the lists, and tells the accounts' browsers; without what is there already. */
async function record(
  db: Tx,
  events: { id: string; event: NotificationEvent; once: string | null }[],
  { now, priority }: { now: Date; priority?: typeof LATER | undefined },
): Promise<Told[]> {
  const [first] = events
  if (!first) return []
  const people = events.map(({ event }) => event.person)
  const settings = await findEachWanted(db, people, first.event.kind)
  const given = events.flatMap(({ id, event, once }) => {
    const wanted = settings.get(event.person)
    const { data } = event
    const actorId = actorOf(data)
    return wanted ? [{ id, event, actorId, wanted, once }] : []
  })
  if (given.length === 0) return []
  const inserted = await db
    .insertInto('notifications')
    .values(
      given.map(({ id, event, actorId, wanted, once }) => ({
        id,
        user_id: event.person,
        kind: event.kind,
        data: JSON.stringify(event.data),
        once_key: once,
        created_at: now,
        actor_id: actorId,
        // What comes while no emails are wanted isn't left to a digest that is chosen later.
        mailed_by: isDigested(wanted) && !isRequired(event) ? null : id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const ids = new Set(inserted.map(({ id }) => id))
  const told = given.filter(({ id }) => ids.has(id))
  await pushLater(db, told, { now, priority })
  const online = told.filter(({ wanted }) => wanted.online)
  await publishEach(
    db,
    online.map(({ id, event }) => ({
      name: 'notification.added',
      notificationId: id,
      people: [event.person],
    })),
  )
  return told
}

/** Who did it, or whom it names: it is deleted with their account. */
function actorOf(data: object): string | null {
  const { fromId, senderId, creatorId } = data as Record<string, string | null | undefined>
  return fromId ?? senderId ?? creatorId ?? null
}

/** The mail, with links made now; null when nobody is to get it. */
async function compose(
  db: Tx,
  context: Context,
  { id, message, unlisted, now }: Delivery & { now: Date },
): Promise<Mail | null> {
  const { config, publicUrl } = context
  const site = { brand: config.BRAND_NAME, publicUrl, contact: config.OPERATOR_EMAIL }
  if (message.kind === 'contact.message') return { to: site.contact, ...renderEmail(message, site) }
  if (message.kind === 'notifications.digest' || message.kind === 'notifications.summary')
    return composeDigest(db, context, site, { id, message, now })
  if ('data' in message) return composeNotification(db, context, site, { id, message, unlisted, now })
  const recipient = await findLinked(db, message, now)
  if (!recipient) return null
  if (await reserve(db, context, { id, message, recipient, now })) return null
  const { userId, address } = recipient
  const path =
    message.kind === 'email.confirm'
      ? await issueConfirmation(db, { userId, email: address, now })
      : await issueReset(db, { userId, now })
  return { to: address, ...renderEmail(message, site, { link: path }) }
}

/**
 * The account that a link is sent to. None when there is no account to reset; the owner of an address that is taken
 * is told so.
 */
async function findLinked(
  db: Tx,
  message: Extract<MailRequest, { address: string }>,
  now: Date,
): Promise<Recipient | null> {
  const { address } = message
  if (message.kind === 'password.reset') {
    const account = await findCredentials(db, address)
    return account && findOwner(db, account.id)
  }
  const found = await findConfirmable(db, { userId: message.person, email: address })
  if (found.holder) {
    const once = `email.taken ${now.toISOString().slice(0, 10)}`
    await notify(db, { kind: 'email.taken', person: found.holder, data: {} }, { now, once })
  }
  return found.confirmable ? { userId: message.person, address, confirmed: false, hidden: false } : null
}

/**
 * Counts this mail, once however often the job is tried and unless it always goes, and answers null; or when it may go, when the
 * address got enough: what nothing else says is sent then.
 */
async function reserve(
  db: Tx,
  context: Context,
  { id, message, recipient, now }: Delivery & { recipient: Recipient; now: Date },
): Promise<{ mailableAt: Date } | null> {
  if (isUnlimited(message, recipient)) return null
  const { kind } = message
  const addressHash = context.signer.sign(ADDRESS_PURPOSE, recipient.address)
  const byOthers = isByOthers(kind, recipient)
  const sent = await lockMailsTo(db, { addressHash, deliveryId: id, now })
  const runAt = mailableAt(sent, { kind, byOthers }, now)
  if (runAt > now) {
    if (POSTPONED.has(kind))
      await enqueue(db, 'notifications.send', { id, message }, { runAt, priority: SOON })
    return { mailableAt: runAt }
  }
  await db
    .insertInto('mail_sends')
    .values({ delivery_id: id, address_hash: addressHash, kind, by_others: byOthers, sent_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return null
}

async function composeNotification(
  db: Tx,
  context: Context,
  site: EmailContext,
  { id, message, unlisted, now }: Delivery & { message: NotificationEvent; now: Date },
): Promise<Mail | null> {
  const recipient = await findOwner(db, message.person)
  if (!recipient) return null
  if (unlisted) await record(db, [{ id, event: message, once: null }], { now })
  const required = isRequired(message)
  if (!required) {
    const wanted = recipient.hidden ? null : await lockNews(db, { id, event: message, now })
    if (!wanted || (await waitForQuiet(db, { id, message, day: wanted.day, now }))) return null
  }
  const refused = await reserve(db, context, { id, message, recipient, now })
  if (refused) {
    if (!required && !POSTPONED.has(message.kind))
      await leaveToSummary(db, { id, person: message.person, at: refused.mailableAt })
    return null
  }
  const told = await findNotification(db, { id, userId: message.person })
  const present = told ? { ...message, ...presentTold(told) } : message
  if (required) return { to: recipient.address, ...renderEmail(present, site) }
  return endable(context, recipient, topicOf[message.kind], (unsubscribe) =>
    renderEmail(present, site, { unsubscribe }),
  )
}

/**
 * What the account wants of this kind, if an email at once is still wanted, and what it tells of is still shown, unread, and
 * not left to a summary; no other one takes it until the transaction ends. If a digest is wanted by now, that takes it.
 */
async function lockNews(
  db: Tx,
  { id, event, now }: { id: string; event: NotificationEvent; now: Date },
): Promise<Wanted | null> {
  const own = await db
    .selectFrom('notifications')
    .select('id')
    .where('id', '=', id)
    .where('mailed_by', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!own) return null
  const wanted = await findWanted(db, event)
  if (isDigested(wanted)) {
    await db.updateTable('notifications').set({ mailed_by: null }).where('id', '=', id).execute()
    await scheduleDigests(db, new Map([[event.person, { email: wanted.email, wanted }]]), now)
  }
  const told = await findNotification(db, { id, userId: event.person })
  return wanted.email === 'now' && told?.read_at === null ? wanted : null
}

/**
 * Postpones a mail to the end of quiet hours and answers whether it was postponed. They may have been set, or have
 * started, since the mail was due.
 */
async function waitForQuiet(
  db: Tx,
  { id, message, day, now }: Delivery & { day: LocalDay; now: Date },
): Promise<boolean> {
  const runAt = afterQuiet(now, day)
  if (runAt > now) await enqueue(db, 'notifications.send', { id, message }, { runAt, priority: SOON })
  return runAt > now
}

/** The unread notifications of a digest or summary; null when there are none. */
async function composeDigest(
  db: Tx,
  context: Context,
  site: EmailContext,
  {
    id,
    message,
    now,
  }: {
    id: string
    message: Extract<MailRequest, { kind: 'notifications.digest' | 'notifications.summary' }>
    now: Date
  },
): Promise<Mail | null> {
  const recipient = await findOwner(db, message.person)
  const lines = digestOf(await listDigest(db, { userId: message.person, deliveryId: id }))
  if (!recipient || recipient.hidden || lines.length === 0) return null
  const day = dayOf(await findSettings(db, message.person))
  if (await waitForQuiet(db, { id, message, day, now })) return null
  const refused = await reserve(db, context, { id, message, recipient, now })
  if (refused) {
    // By then quiet hours may have started, or the settings may be different.
    if (message.kind === 'notifications.summary')
      await leaveToSummary(db, { id, person: message.person, at: refused.mailableAt })
    return null
  }
  const scope = message.kind === 'notifications.digest' ? 'digest' : 'now'
  return endable(context, recipient, scope, (unsubscribe) =>
    renderEmail(message, site, { lines, unsubscribe }),
  )
}

/** A mail that its recipient can end by one click (RFC 8058). */
function endable(
  { lastingSigner, publicUrl }: Context,
  { userId, address }: Recipient,
  scope: Scope,
  render: (unsubscribe: string) => ReturnType<typeof renderEmail>,
): Mail {
  const token = signedScope(lastingSigner, userId, scope)
  return {
    to: address,
    ...render(`${publicUrl}/unsubscribe?token=${token}`),
    unsubscribeUrl: `${publicUrl}/api/notifications/unsubscribe/${token}`,
  }
}
