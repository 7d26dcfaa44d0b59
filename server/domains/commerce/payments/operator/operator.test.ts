import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser } from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem } from '../../../../testing/purchases.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('an operator reads the card of a payment, and its evidence, by the name that stands on it', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const card = await cardToken(harness, { cardNumber: '370000000000002', cardCode: '1234' })
  const { _id } = (await harness.api.as(fan).call(routes.purchase, {
    body: { kind: 'single', itemId, ...card },
  })) as { _id: string }
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const operator = harness.api.as({ token })
  const { attempts } = await operator.call(routes.payment, { params: { transactionId: _id } })
  expect(attempts.map((attempt) => attempt.card)).toEqual(['Amex 0002'])
  const dispute = await operator.call(routes.openDispute, {
    body: {
      ...{ transactionId: _id, amount: '$10', fee: '$15', cause: 'fraud', caseNumber: 'CB-1' },
      reason: 'The bank’s letter',
    },
  })
  const evidence = await operator.call(routes.disputeEvidence, { params: { disputeId: dispute._id } })
  expect(evidence.sections.flatMap(({ facts }) => facts)).toContainEqual({
    ...{ label: 'Card', value: 'Amex ending in 0002' },
  })
})
