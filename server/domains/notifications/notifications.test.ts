import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import {
  type EmailFrequency,
  NotificationEvent,
  type NotificationTopic,
  REQUIRED_TOPICS,
  topicOf,
} from '../../../contract/notifications.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../testing/builders.ts'
import { buildGrant } from '../../testing/grants.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { buildAccount, emailsTo, leave, PASSWORD } from '../../testing/security.ts'
import { notify, notifyEach } from './actions.ts'

const HOUR_MS = 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ environment: { BRAND_NAME: 'Tom & Ann’s' } })
})
afterAll(() => harness?.stop())

const listOf = ({ id }: { id: string }) =>
  harness.context.db
    .selectFrom('notifications')
    .select(['kind', 'data', 'read_at'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()
const prefer = ({ id }: Person, topic: NotificationTopic, email: EmailFrequency) =>
  harness.context.db
    .insertInto('notification_preferences')
    .values({ user_id: id, topic, email, push: false })
    .execute()
const tellOf = (event: NotificationEvent, once?: string) =>
  harness.context.db
    .transaction()
    .execute((db) => notify(db, event, { now: harness.clock.now(), ...(once ? { once } : {}) }))
const changePassword = (person: Person) =>
  harness.api
    .as(person)
    .call(routes.changePassword, { body: { currentPassword: PASSWORD, password: 'another long password' } })
const deliver = (message: unknown, lastAttempt: boolean) =>
  harness.server.jobs['notifications.send'](
    { id: crypto.randomUUID(), message, unlisted: true } as Parameters<
      (typeof harness.server.jobs)['notifications.send']
    >[0],
    { attempt: lastAttempt ? 10 : 1, lastAttempt },
  )

describe('what an account is told', () => {
  test('is told of more at once than a statement has parameters for', async () => {
    const person = await buildFan(harness)
    await prefer(person, 'gifts', 'off')
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    const event = { kind: 'subscription.extended' as const, person: person.id, data }
    const events = Array.from({ length: 10_000 }, () => ({ event, once: null }))
    await harness.context.db
      .transaction()
      .execute((db) => notifyEach(db, events, { now: harness.clock.now() }))
    expect(await listOf(person)).toHaveLength(events.length)
  })

  test('stands in its list, unread, and is mailed; what the domain below tells as well', async () => {
    const person = await buildAccount(harness)
    await changePassword(person)
    await tellOf({ kind: 'export.ready', person: person.id, data: {} })
    const mails = await emailsTo(harness, person.email)
    expect(mails.map(({ subject }) => subject.split(' · ')[0]).toSorted()).toEqual([
      'Your data is ready',
      'Your password was changed',
    ])
    const list = await listOf(person)
    expect(list.map(({ kind }) => kind).toSorted()).toEqual(['export.ready', 'password.changed'])
    expect(list.every(({ read_at }) => read_at === null)).toBe(true)
  })

  test('is gone with the transaction that would have told it', async () => {
    const person = await buildFan(harness)
    const told = harness.context.db.transaction().execute(async (db) => {
      const now = harness.clock.now()
      await notify(db, { kind: 'export.ready', person: person.id, data: {} }, { now })
      throw new Error('rolled back')
    })
    await expect(told).rejects.toThrow('rolled back')
    expect([await listOf(person), await emailsTo(harness, person.email)]).toEqual([[], []])
  })

  test('is not mailed to who wants none of its kind, and stands in the list', async () => {
    const person = await buildFan(harness)
    await prefer(person, 'gifts', 'off')
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    await tellOf({ kind: 'subscription.extended', person: person.id, data })
    expect(await emailsTo(harness, person.email)).toEqual([])
    expect(await listOf(person)).toHaveLength(1)
  })

  test('of security is mailed whatever is preferred', async () => {
    const person = await buildAccount(harness)
    for (const topic of REQUIRED_TOPICS) await prefer(person, topic, 'off')
    await changePassword(person)
    expect(await emailsTo(harness, person.email)).toHaveLength(1)
    for (const security of ['password.changed', 'factor.added', 'factor.removed', 'email.taken'] as const)
      expect(REQUIRED_TOPICS).toContain(topicOf[security])
  })

  test('is told once under one key', async () => {
    const person = await buildFan(harness)
    const event = { kind: 'export.ready' as const, person: person.id, data: {} }
    await Promise.all(Array.from({ length: 5 }, () => tellOf(event, 'the same')))
    expect(await emailsTo(harness, person.email)).toHaveLength(1)
    expect(await listOf(person)).toHaveLength(1)
  })

  test('takes half a character, which a mark replaces', async () => {
    const person = await buildFan(harness)
    await tellOf({
      kind: 'creator.leaving',
      person: person.id,
      data: { username: 'a\ud83d', until: '2030-01-01' },
    })
    expect(await listOf(person)).toMatchObject([{ data: { username: 'a\ufffd' } }])
  })

  test('keeps what people typed as text', async () => {
    const person = await buildFan(harness)
    const data = { username: '<img src=x>&"\'', until: '2030-01-01' }
    await tellOf({ kind: 'creator.leaving', person: person.id, data })
    const [mail] = (await emailsTo(harness, person.email)) as unknown as { html: string; text: string }[]
    expect(mail?.text).toContain('<img src=x>&"\'')
    expect(mail?.html).toContain('&lt;img src=x&gt;&amp;&quot;&#39;')
    expect(mail?.html).not.toContain('<img')
  })

  test('every kind is listed, and has a template that names no unfilled word', async () => {
    const sender = await buildFan(harness)
    const from = { from: sender.username, fromId: sender.id }
    const samples: Record<string, object> = {
      'factor.added': { passkey: null },
      'factor.removed': { passkey: 'My key', last: true },
      'recovery-code.used': { left: 9 },
      'deletion.requested': { erasedBy: '2030-01-01' },
      'account.suspended': { ended: false },
      'payment.refunded': { title: 'A photo', amount: '$4', access: 'ended' },
      'sale.refunded': { title: 'A photo', amount: '$4', share: '$3.20', access: 'ended' },
      'sale.disputed': { title: 'A photo', amount: '$4', state: 'opened' },
      'subscription.renewing': { title: 'Patrons', amount: '$4', on: '2030-01-01' },
      'subscription.renewed': { title: 'Patrons', amount: '$4', card: 'Visa 1111', until: '2030-01-01' },
      'purchase.receipt': {
        fromId: sender.id,
        ...{ title: 'Patrons', amount: '$4', seller: 'ada', items: 0, card: 'Visa 1111', on: '2030-01-01' },
        renews: { on: '2030-02-01', amount: '$4' },
      },
      'subscription.declined': { title: 'Patrons', amount: '$4', creator: 'ada' },
      'subscription.reviewed': { title: 'Patrons', amount: '$4', creator: 'ada', ends: '2030-01-15' },
      'subscription.ending': { title: 'Patrons', creator: 'ada', on: '2030-01-01', amount: '$4' },
      'subscription.canceled': { title: 'Patrons', creator: 'ada', until: '2030-01-01', resumable: true },
      'subscription.ended': { title: 'Patrons', unpaid: true },
      'subscription.price-changed': {
        ...{ state: 'asked', title: 'Patrons', creator: 'ada', before: '$4', amount: '$5', on: '2030-01-01' },
      },
      'subscription.extended': { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true },
      'creator.leaving': { username: 'ada', until: '2030-01-01' },
      'mass-message.changed': { sent: false, leftOut: 1 },
      'custom.changed': { ...from, state: 'accepted', messageId: null, amount: '$4' },
      'custom.sold': { ...from, state: 'paid', messageId: null, amount: '$4' },
      'message.received': { from: 'ada', senderId: sender.id },
      'follower.added': from,
      'sale.made': { ...from, title: 'A photo', amount: '$4', item: 'single' },
      'subscriber.added': { ...from, title: 'Patrons', amount: '$4' },
      'subscriber.canceled': { ...from, title: 'Patrons', until: '2030-01-01' },
      'subscriber.ended': { ...from, title: 'Patrons' },
      'tip.received': { ...from, amount: '$4' },
      'payout.changed': { amount: '$40', state: 'failed', reason: 'The account is closed.' },
      'bank-details.changed': { lastFour: '6789', until: '2030-01-01' },
      'shared-code.changed': { ...from, state: 'invited' },
      'subreddit.decided': { state: 'approved', subreddit: 'gardens', amount: '$25', note: null },
      'forum.reconnect': { account: 'SampleCreator' },
      'verification.reminder': { subreddit: 'Gardens' },
      'subreddit.changed': { subreddit: 'Gardens', parts: ['rules', 'flair'] },
      'post.changed': {
        state: 'failed',
        subreddit: 'Gardens',
        title: 'Roses',
        reason: 'The title is too long.',
      },
      'media.ready': { title: 'A photo', mediaId: crypto.randomUUID() },
      'media.failed': { title: 'A photo', reason: 'It isn’t a photo.' },
      'media.quarantined': {
        title: 'A photo',
        mediaId: crypto.randomUUID(),
        reason: 'We’re reviewing it.',
        changed: false,
        deleted: false,
      },
      'media.released': { title: 'A photo', mediaId: crypto.randomUUID() },
    }
    for (const option of NotificationEvent.options) {
      const person = await buildFan(harness)
      const kind = option.shape.kind.value
      await prefer(person, topicOf[kind], 'now')
      await tellOf(NotificationEvent.parse({ kind, person: person.id, data: samples[kind] ?? {} }))
      const [mail] = await emailsTo(harness, person.email)
      expect(`${mail?.subject} ${mail?.text}`, kind).not.toMatch(/undefined|null|NaN|\[object/)
      expect(mail?.text, kind).toContain('Questions? Write to ')
      const { items } = await harness.api.as(person).call(routes.notifications, { query: {} })
      expect(items.map(({ event }) => event.kind)).toEqual([kind])
    }
  })

  test('of a post that was moved says in which subreddit, when to, and why', async () => {
    const person = await buildFan(harness)
    await prefer(person, topicOf['post.changed'], 'now')
    const moved = { state: 'moved' as const, subreddit: 'Gardens', title: 'Roses', on: '2030-01-02' }
    const data = { ...moved, reason: 'Your queue needs 60 minutes between posts of the same picture.' }
    await tellOf({ kind: 'post.changed', person: person.id, data })
    const [mail] = await emailsTo(harness, person.email)
    expect(mail?.text).toContain(
      `It was too soon for “Roses” in r/Gardens, so it was moved to Jan 2, 2030. ${data.reason}`,
    )
  })

  test('is listed also where it was told before there was more to say', async () => {
    const person = await buildFan(harness)
    const event = { title: 'Patrons', amount: '$4', card: 'Visa 1111', until: '2030-01-01' }
    await tellOf({ kind: 'subscription.renewed', person: person.id, data: { ...event, months: 1 } })
    await harness.context.db
      .updateTable('notifications')
      .set({ data: sql`data - 'months'` })
      .where('user_id', '=', person.id)
      .execute()
    const { items } = await harness.api.as(person).call(routes.notifications, { query: {} })
    expect(items).toMatchObject([{ event: { data: { ...event, months: 1 } } }])
  })
})

test('news of a custom request that find the hour full come in the next one', async () => {
  const [person, sender] = [await buildFan(harness), await buildFan(harness)]
  for (const topic of ['messages', 'requests'] as const) await prefer(person, topic, 'now')
  const from = { from: sender.username }
  for (const senderId of [sender.id, (await buildFan(harness)).id])
    await tellOf({ kind: 'message.received', person: person.id, data: { ...from, senderId } })
  const state = { state: 'accepted' as const, messageId: null, amount: '$20' }
  await tellOf({
    kind: 'custom.changed',
    person: person.id,
    data: { ...from, fromId: sender.id, ...state },
  })
  const news = async () =>
    (await emailsTo(harness, person.email)).filter(({ subject }) => subject.includes('custom request')).length
  expect(await news()).toBe(0)
  harness.clock.advance(HOUR_MS)
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(harness.context.db)
  expect(await news()).toBe(1)
})

describe('a mail that the server does not take', () => {
  const to = () => buildUser(harness, { email: `${crypto.randomUUID()}@busy.test` })

  test('is tried again, and its error does not name the address', async () => {
    const person = await to()
    const event = { kind: 'export.ready', person: person.id, data: {} }
    const error = await deliver(event, false).then(
      () => null,
      (reason: Error) => reason,
    )
    expect(error?.message).toContain('did not take the message')
    expect(JSON.stringify([error?.message, error?.stack, error?.cause])).not.toContain('busy.test')
  })

  test('is given up after the last attempt', async () => {
    const person = await to()
    await deliver({ kind: 'export.ready', person: person.id, data: {} }, true)
    expect(await emailsTo(harness, person.email)).toEqual([])
  })

  test('counts once, however often it is tried', async () => {
    const person = await to()
    const delivery = {
      id: crypto.randomUUID(),
      message: { kind: 'export.ready' as const, person: person.id, data: {} },
      unlisted: true as const,
    }
    for (let attempt = 1; attempt <= 5; attempt++)
      await expect(
        harness.server.jobs['notifications.send'](delivery, { attempt, lastAttempt: false }),
      ).rejects.toThrow('did not take the message')
    const { db } = harness.context
    const sends = await db
      .selectFrom('mail_sends')
      .selectAll()
      .where('delivery_id', '=', delivery.id)
      .execute()
    expect(sends).toHaveLength(1)
    expect(JSON.stringify(sends)).not.toContain('busy.test')
    expect(await listOf(person)).toHaveLength(1)
  })
})

describe('a link', () => {
  /** Every row of every table as text, the queue's too; bytes as hexadecimal. */
  async function dump(): Promise<string> {
    const { db } = harness.context
    const { rows: tables } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
    expect(tables.map(({ name }) => name)).toContain('_private_jobs')
    const texts: string[] = []
    for (const { schema, name } of tables) {
      const { rows } = await sql<{
        row: string
      }>`select t::text as row from ${sql.id(schema, name)} t`.execute(db)
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  }

  test('for a new password or an address is made when it is mailed: its token is at rest nowhere, waiting or failed', async () => {
    const asked = [
      await buildAccount(harness),
      await buildAccount(harness, { verified: false }),
      await buildAccount(harness, { email: 'slow@busy.test' }),
    ]
    const [resets, confirms, refused] = asked as [Person, Person, Person]
    const visitor = harness.api.visitor()
    const waiting = async () => {
      const { rows } = await sql<{ payload: string }>`
        select payload::text || coalesce(last_error, '') as payload from graphile_worker._private_jobs`.execute(
        harness.context.db,
      )
      return rows.map(({ payload }) => payload)
    }
    for (const { email } of [resets, refused]) await visitor.call(routes.requestReset, { body: { email } })
    await harness.api.as(confirms).call(routes.resendEmailConfirmation, { body: {} })
    const before = await waiting()
    expect(before).toHaveLength(3)
    for (const payload of before) expect(payload).not.toMatch(/[\w-]{43}|token|resetconfirmed\/|https?:/)

    const [reset] = await emailsTo(harness, resets.email)
    const [confirmation] = await emailsTo(harness, confirms.email)
    const failed = await waiting()
    expect(failed).toHaveLength(1)
    expect(failed[0]).toContain('did not take the message')
    expect(failed[0]).not.toMatch(/[\w-]{43}/)
    const tokens = [
      /\/resetconfirmed\/[^/]+\/(\S+)/.exec(reset?.text ?? '')?.[1],
      /token=(\S+)/.exec(confirmation?.text ?? '')?.[1],
    ]
    const everything = await dump()
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/)
      const bytes = Buffer.from(token ?? '', 'base64url')
      for (const encoded of [token ?? '', Buffer.from(token ?? '').toString('hex'), bytes.toString('hex')])
        expect(everything).not.toContain(encoded)
    }
  })
})

test('a creator who leaves and comes back all day is told of to a buyer once, and a full hour is waited for', async () => {
  const [creator, other, fan] = [
    await buildCreator(harness),
    await buildCreator(harness),
    await buildFan(harness),
  ]
  const { db } = harness.context
  for (const seller of [creator, other]) await buildGrant(harness, fan, [await buildMedia(harness, seller)])
  const subjects = async () =>
    (await emailsTo(harness, fan.email)).filter(({ subject }) => subject.startsWith('Download what you'))
      .length

  for (let asked = 0; asked < 3; asked++)
    await harness.api.visitor().call(routes.requestReset, { body: { email: fan.email } })
  expect(await emailsTo(harness, fan.email)).toHaveLength(2)
  await leave(harness, other)
  // However many links a stranger asks for, one place is left to what the product has to tell.
  expect(await subjects()).toBe(1)
  const tell = () =>
    harness.server.jobs['account.tell-buyers']({ creatorId: creator.id }, { attempt: 1, lastAttempt: false })
  await leave(harness, creator)
  for (let told = 0; told < 4; told++) await tell()
  expect(await subjects()).toBe(1)
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs
    where task_identifier = 'notifications.send' and run_at > now() + interval '30 minutes'`.execute(db)
  expect(rows).toHaveLength(1)
  harness.clock.advance(HOUR_MS)
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(db)
  expect(await subjects()).toBe(2)
})
