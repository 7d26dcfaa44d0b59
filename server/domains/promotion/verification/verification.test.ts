import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildRules, buildSubreddits } from '../../../testing/promotion.ts'
import { checklistOf } from './rules.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await buildSubreddits(harness, ['Asters', 'Begonias', 'Camellias', 'Dahlias'])
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)
type Change = { srName: string; [field: string]: unknown }
const update = (person: Person, body: Change) =>
  as(person).call(routes.updateVerification, { body: body as never })
const word = async (person: Person, subreddit: string) =>
  (await as(person).call(routes.verificationStatus, { query: { subreddit } })).status
const board = (person: Person, query: Record<string, unknown> = {}) =>
  as(person).call(routes.verificationRecords, { query: query as never })

describe('a verification', () => {
  test('goes from to do to done, and is verified unless it was refused', async () => {
    expect(await word(creator, 'asters')).toBe('todo')
    expect((await board(creator)).items).toEqual([])
    const begun = await update(creator, { srName: 'ASTERS', notes: 'Sign with the date' })
    expect(begun).toEqual({
      name: 'Asters',
      verificationType: 'unset',
      notes: 'Sign with the date',
      confirmed: 'pending',
      status: 'todo',
      remindOn: null,
    })
    await update(creator, { srName: 'Asters', status: 'pending' })
    expect(await word(creator, 'Asters')).toBe('pending')
    await as(creator).call(routes.verifySubreddit, { body: { subreddit: 'Asters' } })
    expect(await word(creator, 'Asters')).toBe('verified')
    await update(creator, { srName: 'Asters', confirmed: 'false' })
    expect(await word(creator, 'Asters')).toBe('done')
    // Fields that weren't sent stay.
    expect((await board(creator)).items).toMatchObject([{ notes: 'Sign with the date', status: 'done' }])
  })

  test('is listed by status and name with the counts of all, page by page', async () => {
    const person = await buildCreator(harness)
    for (const srName of ['Dahlias', 'Begonias', 'Camellias'])
      await update(person, { srName, status: 'todo' })
    await update(person, { srName: 'Asters', status: 'pending' })
    const first = await board(person, { status: 'todo', limit: 2 })
    expect(first).toMatchObject({ hasMore: true, counts: { todo: 3, pending: 1, done: 0 } })
    const second = await board(person, { status: 'todo', limit: 2, cursor: first.nextCursor })
    const names = [...first.items, ...second.items].map(({ name }) => name)
    expect(names).toEqual(['Begonias', 'Camellias', 'Dahlias'])
    expect((await board(person, { search: 'AST' })).items.map(({ name }) => name)).toEqual(['Asters'])
    await as(person).call(routes.removeVerification, { body: { srName: 'Asters' } })
    expect((await board(person)).counts).toEqual({ todo: 3, pending: 0, done: 0 })
  })

  test('is found by part of its name, with r/ in front of it too', async () => {
    const person = await buildCreator(harness)
    await update(person, { srName: 'Camellias' })
    const found = async (search: string) =>
      (await as(person).call(routes.verificationRecords, { query: { search } })).items.map(({ name }) => name)
    for (const search of ['r/camel', '/r/Camel', 'LIAS'])
      expect(await found(search), search).toEqual(['Camellias'])
    expect(await found('r/lias_')).toEqual([])
  })

  test('has a checklist of what the rules want the photo to show, which keeps its ticks', async () => {
    await buildRules(harness, 'Camellias', [
      { name: 'Be kind', description: 'No rude photo captions.' },
      {
        name: 'Verification',
        description:
          'Accounts must verify first. Hold a handwritten sign with your username. Write the date on the paper.',
      },
    ])
    const read = () => as(creator).call(routes.verificationRecord, { query: { name: 'camellias' } })
    const { checklist, recorded } = await read()
    expect(recorded).toBe(false)
    expect(checklist.map(({ text }) => text)).toEqual([
      'Hold a handwritten sign with your username.',
      'Write the date on the paper.',
    ])
    await update(creator, { srName: 'Camellias', checked: ['Write the date on the paper.'] })
    expect((await read()).checklist.map(({ done }) => done)).toEqual([false, true])
  })

  test('of somebody else is for operators', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    await update(operator, { srName: 'Begonias', userId: creator.id, status: 'pending', notes: 'Asked them' })
    const seen = await as(operator).call(routes.verificationRecord, {
      query: { userId: creator.id, name: 'Begonias' },
    })
    expect(seen).toMatchObject({ status: 'pending', notes: 'Asked them', recorded: true })
    const { detail } = await harness.context.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'verification.edited')
      .where('target_id', '=', creator.id)
      .executeTakeFirstOrThrow()
    expect(detail).toEqual({ subreddit: 'Begonias' })
    const stranger = await buildCreator(harness)
    const refused = [
      await as(stranger).send('GET', '/reddit/usersrinfo', {
        query: { userId: creator.id, name: 'Begonias' },
      }),
      await as(stranger).send('GET', '/reddit/usersrinfo2', {
        query: { userId: creator.id, subreddit: 'Begonias' },
      }),
      await as(stranger).send('POST', '/reddit/updateusersrinfo', {
        body: { userId: creator.id, srName: 'Begonias', status: 'done' },
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await word(creator, 'Begonias')).toBe('pending')
  })

  test('is one row, whoever writes it twenty times at once', async () => {
    const person = await buildCreator(harness)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => update(person, { srName: 'Dahlias', notes: `Note ${index}` })),
    )
    expect((await board(person)).items).toHaveLength(1)
  })
})

describe('a reminder', () => {
  const reminded = async (person: Person) => {
    await harness.server.jobs['verification.remind']({}, { attempt: 1, lastAttempt: true })
    const { items } = await as(person).call(routes.notifications, { query: {} })
    return items.filter(({ event }) => event.kind === 'verification.reminder').length
  }

  test('comes once, on its day from 9 AM on', async () => {
    const person = await buildCreator(harness)
    const now = harness.clock.now()
    const day = new Date(now.getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    await update(person, { srName: 'Asters', remindOn: day })
    expect(await reminded(person)).toBe(0)
    harness.clock.advance(Date.parse(`${day}T08:59:00Z`) - harness.clock.now().getTime())
    expect(await reminded(person)).toBe(0)
    harness.clock.advance(2 * 60_000)
    expect(await reminded(person)).toBe(1)
    expect(await reminded(person)).toBe(1)
    expect((await board(person)).items).toMatchObject([{ name: 'Asters', remindOn: null }])
  })

  test('comes whatever time zone somebody else names', async () => {
    const [person, other] = [await buildCreator(harness), await buildCreator(harness)]
    for (const timeZone of ['US/Pacific-New', 'SystemV/PST8PDT']) {
      const named = await as(other).send('POST', '/users/notifications/settings', { body: { timeZone } })
      expect(named).toMatchObject({
        status: 400,
        body: { details: { timeZone: 'Enter a valid time zone.' } },
      })
      expect((await as(other).send('POST', '/reddit/queue', { body: { timeZone } })).status).toBe(400)
    }
    const day = new Date(harness.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    await update(person, { srName: 'Asters', remindOn: day })
    harness.clock.advance(Date.parse(`${day}T09:01:00Z`) - harness.clock.now().getTime())
    expect(await reminded(person)).toBe(1)
  })

  test('is for a day to come', async () => {
    const past = new Date(harness.clock.now().getTime() - 3 * 86_400_000).toISOString().slice(0, 10)
    const refused = await as(creator).send('POST', '/reddit/updateusersrinfo', {
      body: { srName: 'Dahlias', remindOn: past },
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'reminder_in_past' } })
    expect((await board(creator, { search: 'dahlias' })).items).toEqual([])
  })
})

test('a long sentence of the checklist is not cut through a character', () => {
  const start = `A photo of yours with the username on paper ${'a'.repeat(600)}`.slice(0, 599)
  const [sentence = ''] = checklistOf([{ name: 'Verification', description: `${start}😀 and the date` }])
  expect(sentence).toBe(start)
})
