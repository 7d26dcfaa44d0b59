import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { ROLES } from '../../../../contract/permissions.ts'
import type { Input } from '../../../../contract/route.ts'
import type { auditRoutes } from '../../../../contract/routes/compliance/audit.ts'
import { writeAuditEach } from '../../../db/audit.ts'
import { runAdmin } from '../../../start/admin.ts'
import { Refused } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'
import { buildAccount } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildAccount(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

type Query = Input<typeof auditRoutes.audit>['query']

const read = (query: Query = {}, by = operator) => harness.api.as(by).call(routes.audit, { query })
const entries = async (query: Query = {}) => (await read(query)).items
const suspend = (person: Person, reason: string, by = operator) =>
  harness.api.as(by).call(routes.suspendPerson, { body: { userId: person.id, reason } })
const command = (...args: string[]) =>
  runAdmin(args, harness.context.db, harness.context.vault, harness.clock.now())

describe('an entry', () => {
  test('says who did what about whom, when, and why', async () => {
    const person = await buildFan(harness)
    await suspend(person, 'Stolen pictures')
    expect(await entries({ about: person.username })).toEqual([
      {
        _id: expect.any(String),
        action: 'user.suspended',
        at: expect.stringMatching(/Z$/),
        actor: { username: operator.username },
        target: { kind: 'user', _id: person.id, exists: true, owner: { username: person.username } },
        reason: 'Stolen pictures',
        facts: {},
      },
    ])
  })

  test('tells which role it was about, and has no one for a command on the server', async () => {
    const person = await buildFan(harness)
    await command('set-role', '--email', person.email, '--role', 'support', '--reason', 'New colleague')
    expect(await entries({ about: person.username })).toMatchObject([
      { action: 'user.role_set', actor: null, facts: { role: { from: null, to: 'support' } } },
    ])
  })

  test('of an item names its creator and who got it, and that it is gone', async () => {
    const creator = await buildCreator(harness)
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator)
    const admin = harness.api.as(operator)
    await admin.call(routes.unlockMedia, { body: { mediaId, customerId: fan.id, reason: 'A lost purchase' } })
    const [entry] = await entries({ about: mediaId })
    expect(entry).toMatchObject({
      target: { kind: 'media', _id: mediaId, exists: true, owner: { username: creator.username } },
      facts: { person: { username: fan.username } },
    })
    await harness.context.db
      .updateTable('media')
      .set({ deleted_at: harness.clock.now() })
      .where('id', '=', mediaId)
      .execute()
    expect((await entries({ about: mediaId }))[0]?.target).toMatchObject({ exists: false })
  })

  test('names nobody who is leaving, as their target or as who did it', async () => {
    const helper = await buildAccount(harness, { role: 'reviewer' })
    const person = await buildFan(harness)
    await suspend(person, 'Stolen pictures', helper)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', 'in', [helper.id, person.id])
      .execute()
    expect(await entries({ about: person.id })).toMatchObject([
      { actor: { username: null }, target: { exists: false, owner: { username: null } } },
    ])
    const { items } = await harness.api.as(operator).call(routes.auditActors, {})
    expect(items).toContainEqual({ _id: helper.id, username: null })
  })

  test('keeps to itself what its sentence doesn’t say', async () => {
    const admin = harness.api.as(operator)
    const senators = [
      { name: 'Ann Example', telephone: '202-224-0001' },
      { name: 'Ben Example', telephone: '202-224-0002' },
    ]
    await admin.call(routes.setSenators, { body: { code: 'TX', senators, reason: 'An election' } })
    const [entry] = await entries({ about: 'TX' })
    expect(entry).toMatchObject({ action: 'senators.set', target: { kind: 'state' }, facts: {} })
    expect(JSON.stringify(entry)).not.toContain('202-224')
  })
})

describe('the log', () => {
  test('is narrowed by who did it, what they did, and both', async () => {
    const [one, other] = [
      await buildAccount(harness, { role: 'superadmin' }),
      await buildAccount(harness, { role: 'reviewer' }),
    ]
    const people = [await buildFan(harness), await buildFan(harness)] as const
    for (const person of people) await suspend(person, 'Spam', one)
    for (const _ of people) await suspend(await buildFan(harness), 'Spam', other)
    const { id: userId } = people[0]
    await harness.api.as(one).call(routes.reinstatePerson, { body: { userId, reason: 'It was no spam' } })
    const found = async (query: Query) => (await entries(query)).map(({ action }) => action)
    expect(await found({ actor: one.id })).toEqual(['user.reinstated', 'user.suspended', 'user.suspended'])
    expect(await found({ actor: one.id, action: 'user.suspended' })).toHaveLength(2)
    expect(await found({ actor: other.id })).toEqual(['user.suspended', 'user.suspended'])
    expect(await found({ actor: other.id, action: 'user.reinstated' })).toEqual([])
    expect(await found({ action: 'user.reinstated', about: userId })).toEqual(['user.reinstated'])
    const byAction = await entries({ action: 'user.suspended' })
    expect(new Set(byAction.map(({ action }) => action))).toEqual(new Set(['user.suspended']))
    expect(byAction.length).toBeGreaterThan(3)
  })

  test('shows what was done on the server by itself', async () => {
    const person = await buildFan(harness)
    const about = person.username
    await command('set-role', '--email', person.email, '--role', 'support', '--reason', 'New colleague')
    await suspend(person, 'Not anymore')
    expect(await entries({ actor: 'server', about })).toMatchObject([{ action: 'user.role_set' }])
    expect((await entries({ actor: 'server' })).every(({ actor }) => actor === null)).toBe(true)
  })

  test('finds whom it was about by username, whatever the case, by email and by id', async () => {
    const person = await buildFan(harness)
    await suspend(person, 'Spam')
    for (const about of [person.username.toUpperCase(), `@${person.username}`, person.email, person.id])
      expect(await entries({ about })).toMatchObject([{ target: { _id: person.id } }])
    expect(await entries({ about: `${person.username}x` })).toEqual([])
    expect(await entries({ about: '  ' })).not.toEqual([])
  })

  test('finds a subreddit by its name, whatever the case, and by r/ where a person is called so', async () => {
    await buildSubreddits(harness, ['Gardening'])
    const person = await buildFan(harness, { username: 'gardening' })
    await suspend(person, 'Spam')
    const admin = harness.api.as(operator)
    const found = async (about: string) =>
      (await entries({ about })).map(({ action, target }) => [action, target.exists])
    await admin.call(routes.editSubreddit, { body: { srName: 'gardening', notes: 'Be nice' } })
    expect(await found('gardening')).toEqual([['user.suspended', true]])
    expect(await found('r/Gardening')).toEqual([['subreddit.edited', true]])
    await admin.call(routes.deleteSubreddit, { body: { srName: 'Gardening' } })
    expect(await found('r/GARDENING')).toEqual([
      ['subreddit.deleted', false],
      ['subreddit.edited', false],
    ])
    await admin.call(routes.setRegion, {
      body: { country: 'US', code: 'OH', name: 'Ohio', vpnHint: true, reason: 'House Bill 96' },
    })
    expect(await entries({ about: 'us-oh' })).toMatchObject([{ facts: { name: 'Ohio' } }])
  })

  test('is narrowed to days of a time zone, the first and the last included', async () => {
    const person = await buildFan(harness)
    const at = async (time: string) => {
      await harness.context.db.transaction().execute((tx) =>
        writeAuditEach(tx, {
          ...{ actorId: operator.id, action: 'statement.opened', targetKind: 'user', reason: 'Asked for it' },
          ...{ targetIds: [person.id], detail: { month: '2001-01' }, now: new Date(time) },
        }),
      )
    }
    await at('2001-02-03T04:59:59.999Z')
    await at('2001-02-03T05:00:00.000Z')
    await at('2001-02-05T04:59:59.999Z')
    await at('2001-02-05T05:00:00.000Z')
    const days = { about: person.id, timeZone: 'America/New_York' }
    const found = async (range: Query) =>
      (await entries({ ...days, ...range })).map(({ at }) => at.slice(8, 13))
    expect(await found({ from: '2001-02-03', to: '2001-02-04' })).toEqual(['05T04', '03T05'])
    expect(await found({ from: '2001-02-05' })).toEqual(['05T05'])
    expect(await found({ to: '2001-02-02' })).toEqual(['03T04'])
    expect(await found({ from: '2001-02-04', to: '2001-02-03' })).toEqual([])
    expect(await entries(days)).toMatchObject(Array(4).fill({ facts: { month: '2001-01' } }))
  })

  test('is read page by page to its end, the newest first, each entry once', async () => {
    const helper = await buildUser(harness, { role: 'finance' })
    const targetIds = Array.from({ length: 95 }, () => crypto.randomUUID())
    const now = new Date(harness.clock.now().getTime() - 400 * DAY_MS)
    // Those of one payout run have the same moment.
    await harness.context.db.transaction().execute((tx) =>
      writeAuditEach(tx, {
        ...{ actorId: helper.id, action: 'payout.paid', targetKind: 'payout', reason: 'Weekly run' },
        ...{ targetIds, detail: {}, now },
      }),
    )
    for (const filters of [{ actor: helper.id }, { action: 'payout.paid' }] satisfies Query[]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await read({ ...filters, limit: 30, cursor })
        seen.push(...page.items.map(({ target }) => target._id))
        cursor = page.nextCursor ?? undefined
        expect(page.hasMore).toBe(cursor !== undefined)
      } while (cursor !== undefined)
      expect(seen).toHaveLength(95)
      expect(new Set(seen)).toEqual(new Set(targetIds))
      expect((await read({ ...filters, limit: 30, skip: 60 })).items.map(({ target }) => target._id)).toEqual(
        seen.slice(60, 90),
      )
    }
    const times = (await entries({ limit: 60 })).map(({ at }) => at)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test('is the superadmin’s alone, and so is who is in it', async () => {
    const statusOf = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error) => (error instanceof Refused ? error.status : error),
      )
    const seen = []
    for (const role of [...ROLES, null]) {
      const api = harness.api.as(await buildUser(harness, { role: role ?? undefined } as { role: 'support' }))
      const asked = [api.call(routes.audit, { query: {} }), api.call(routes.auditActors, {})]
      seen.push([role, ...(await Promise.all(asked.map(statusOf)))])
    }
    expect(seen).toEqual([
      ['superadmin', 200, 200],
      ['reviewer', 403, 403],
      ['support', 403, 403],
      ['finance', 403, 403],
      [null, 403, 403],
    ])
    expect(await statusOf(harness.api.visitor().call(routes.audit, { query: {} }))).toBe(401)
  })

  test('knows everybody in it by username, once', async () => {
    const helper = await buildAccount(harness, { role: 'reviewer' })
    await suspend(await buildFan(harness), 'Spam', helper)
    await suspend(await buildFan(harness), 'Spam', helper)
    const { items } = await harness.api.as(operator).call(routes.auditActors, {})
    expect(items.filter(({ _id }) => _id === helper.id)).toEqual([
      { _id: helper.id, username: helper.username },
    ])
    expect(items.map(({ _id }) => _id)).toContain(operator.id)
    expect(new Set(items.map(({ _id }) => _id)).size).toBe(items.length)
  })
})
