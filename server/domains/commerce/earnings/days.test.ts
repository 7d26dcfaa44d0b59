import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan } from '../../../testing/builders.ts'
import { planFault } from '../../../testing/gateway.ts'
import { renewals } from '../../../testing/money/renewals.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { findBooks } from '../ledger/books/data.ts'

const scene = renewals()

test('a renewal due at the end of a month and paid in the next stands everywhere where it was paid', async () => {
  await scene.subscribes('2027-07-31T10:00:00.000Z')
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  scene.moveTo(new Date('2027-08-31T12:00:00.000Z'))
  await scene.renew()
  const other = await buildFan(scene.harness)
  await insertPurchase(scene.harness.context.db, {
    ...{ buyer_id: other.id, creator_id: scene.creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 1000, status: 'captured', created_at: new Date('2027-09-01T12:00:00.000Z') },
  })
  scene.moveTo(new Date('2027-09-02T12:00:00.000Z'))
  await scene.pays('$7', { cardNumber: '5424000000000015', cardCode: '900' })
  scene.moveTo(new Date('2027-10-01T12:00:00.000Z'))

  const [creator, fan] = [await scene.api(scene.creator), await scene.api()]
  // The last one is of the fan that each test begins with.
  const days = ['2027-09-02', '2027-09-01', '2027-07-31', '2027-06-10']
  const dayOf = (moment: string) => moment.slice(0, 10)
  const listed: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await creator.call(routes.transactions, { query: { limit: 1, ...(cursor && { cursor }) } })
    listed.push(...page.items.map(({ transactionDate }) => dayOf(transactionDate)))
    cursor = page.nextCursor
  }
  expect(listed).toEqual(days)
  const paid = await fan.call(routes.transactions, { query: {} })
  expect(paid.items.map(({ transactionDate }) => dayOf(transactionDate))).toEqual([
    '2027-09-02',
    '2027-07-31',
  ])
  const receipts = await fan.call(routes.receipts, { query: {} })
  expect(receipts.items.map(({ paidAt }) => dayOf(paidAt))).toEqual(['2027-09-02', '2027-07-31'])

  const august = { from: '2027-08-01', to: '2027-08-31' }
  const september = { from: '2027-09-01', to: '2027-09-30' }
  const fileOf = async (query: typeof august) => {
    const { body } = await creator.send('GET', '/users/transactions/csv', { query })
    return [...(body as Buffer).toString('utf8').matchAll(/^"(\d{4}-\d\d-\d\d)/gm)].map(([, day]) => day)
  }
  expect([await fileOf(august), await fileOf(september)]).toEqual([[], ['2027-09-02', '2027-09-01']])
  const sold = async (query: typeof august) => {
    const { days } = await creator.call(routes.earnings, { query })
    const { sources, items, fans } = await creator.call(routes.earningsBreakdown, { query })
    return [days, sources, items, fans].map((sums) => sums.map(({ share }) => share))
  }
  expect(await sold(august)).toEqual([[], [], [], []])
  const both = ['$8', '$5.60']
  expect(await sold(september)).toEqual([both, both, both, both])
  const { items: statements } = await creator.call(routes.statements, { query: {} })
  expect(statements).toMatchObject([
    { month: '2027-09', change: '$13.60' },
    { month: '2027-08', change: '$0' },
    { month: '2027-07', change: '$5.60' },
    { month: '2027-06', change: '$5.60' },
  ])
  expect((await findBooks(scene.harness.context.db)).discrepancies).toEqual([])
})

test.each([
  ['Atlantic/Azores', '2027-10-31', '2027-10-31T00:30:00.000Z'],
  ['America/Scoresbysund', '2027-03-28', '2027-03-28T01:30:00.000Z'],
  ['America/Santiago', '2027-09-05', '2027-09-05T04:30:00.000Z'],
])('in %s, %s has its first hour where the clock is set at midnight', async (timeZone, day, soldAt) => {
  const creator = await buildCreator(scene.harness)
  await insertPurchase(scene.harness.context.db, {
    ...{ buyer_id: (await buildFan(scene.harness)).id, creator_id: creator.id, kind: 'single' },
    ...{ item_id: crypto.randomUUID(), amount_cents: 1000, status: 'captured', created_at: new Date(soldAt) },
  })
  const api = scene.harness.api.as(creator)
  const dayBefore = new Date(Date.parse(day) - 24 * 3600 * 1000).toISOString().slice(0, 10)
  const sold = async (on: string) => {
    const query = { from: on, to: on, timeZone }
    const { days } = await api.call(routes.earnings, { query })
    const { sources } = await api.call(routes.earningsBreakdown, { query })
    const { body } = await api.send('GET', '/users/transactions/csv', { query })
    return [days.map((sums) => sums.day), sources.length, String(body).trim().split('\n').length - 1]
  }
  expect([await sold(dayBefore), await sold(day)]).toEqual([
    [[], 0, 0],
    [[day], 1, 1],
  ])
})
