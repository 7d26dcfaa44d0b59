import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChargeOutcome } from '../port.ts'
import { authorizenet } from './adapter.ts'
import {
  account,
  adminUrl,
  apiUrl,
  attempt,
  lookup,
  origin,
  payments,
  planFault,
  post,
  recorded,
  scriptUrl,
  settle,
  token,
  uniqueReference,
  withGateway,
} from './testing.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

withGateway()

describe('a stored card', () => {
  const storedCardOf = (outcome: ChargeOutcome) => (outcome.kind === 'approved' ? outcome.storedCard : null)

  test('comes with the first charge and can be charged again', async () => {
    const first = await attempt({}, { saveCard: true, occasion: 'firstRecurring' })
    const storedCard = storedCardOf(await payments.charge(first))
    expect(storedCard).toEqual({
      customerProfileId: expect.any(String),
      paymentProfileId: expect.any(String),
    })
    if (!storedCard) return
    const second = {
      ...first,
      reference: uniqueReference(),
      source: { storedCard },
      occasion: 'single' as const,
    }
    expect(await payments.charge(second)).toMatchObject({
      kind: 'approved',
      card: { lastFour: '1111' },
      storedCard,
    })
    expect(await recorded(second.reference)).toMatchObject({
      captures: 1,
      items: [{ customerPaymentProfileId: storedCard.paymentProfileId }],
    })
  })

  test('is found again with the charge of an unknown outcome', async () => {
    const wanted = await attempt({ cardCode: '210' }, { saveCard: true })
    await payments.charge(wanted)
    expect(await lookup(wanted)).toMatchObject({
      kind: 'approved',
      storedCard: { paymentProfileId: expect.any(String) },
    })
  })

  test('is stored by a call of its own when the charge did not', async () => {
    const wanted = await attempt({ cardCode: '215' }, { saveCard: true })
    expect(storedCardOf(await payments.charge(wanted))).toMatchObject({
      paymentProfileId: expect.any(String),
    })
    expect((await recorded(wanted.reference)).captures).toBe(1)
  })

  test('a second card joins the customer, the same card is the same', async () => {
    const first = await attempt({}, { saveCard: true })
    const known = storedCardOf(await payments.charge(first))
    const again = async (card: { cardNumber?: string }) =>
      storedCardOf(
        await payments.charge({ ...(await attempt(card, { saveCard: true })), customer: first.customer }),
      )
    const other = await again({ cardNumber: '4007000000027' })
    expect(other?.customerProfileId).toBe(known?.customerProfileId)
    expect(other?.paymentProfileId).not.toBe(known?.paymentProfileId)
    expect(await again({})).toEqual(known)
  })

  test('that cannot be stored leaves the charge approved', async () => {
    const wanted = await attempt({ cardCode: '215' }, { saveCard: true })
    await planFault('busy', 'createCustomerProfileFromTransactionRequest')
    expect(await payments.charge(wanted)).toMatchObject({ kind: 'approved', storedCard: null })
    expect((await recorded(wanted.reference)).captures).toBe(1)
  })

  test('that was deleted at the gateway is refused', async () => {
    const storedCard = { customerProfileId: '1', paymentProfileId: '1' }
    const wanted = await attempt({}, { source: { storedCard } })
    expect(await payments.charge(wanted)).toEqual({ kind: 'refused', reason: 'E00040', tokenExpired: false })
    expect((await recorded(wanted.reference)).items).toEqual([])
  })
})

describe('a void', () => {
  const chargeId = async (): Promise<string> => {
    const outcome = await payments.charge(await attempt())
    return outcome.kind === 'approved' ? outcome.transactionId : ''
  }

  test('takes a charge back, and twice is once', async () => {
    const transactionId = await chargeId()
    expect(await payments.voidCharge(transactionId)).toEqual({ kind: 'voided' })
    expect(await payments.voidCharge(transactionId)).toEqual({ kind: 'voided' })
  })

  test('is refused after settlement, and for what is not there', async () => {
    const transactionId = await chargeId()
    await settle()
    expect(await payments.voidCharge(transactionId)).toEqual({ kind: 'refused', reason: '327' })
    expect(await payments.voidCharge('1')).toEqual({ kind: 'refused', reason: '16' })
  })

  test.each([['resetAfter'], ['serverErrorBefore'], ['busy']])('is unavailable by %s', async (effect) => {
    const transactionId = await chargeId()
    await planFault(effect, 'createTransactionRequest')
    expect((await payments.voidCharge(transactionId)).kind).toBe('unavailable')
    expect(await payments.voidCharge(transactionId)).toEqual({ kind: 'voided' })
  })
})

describe('a refund', () => {
  test('of parts is made up to the whole, each found by its own reference', async () => {
    const since = new Date(Date.now() - 60_000)
    const outcome = await payments.charge(await attempt({}, { amountCents: 999 }))
    const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
    const part = (reference: string, amountCents: number) => ({
      ...{ transactionId, amountCents, reference, lastFour: '1111', since },
    })
    const [one, two, more] = [400, 599, 1].map((cents) => part(crypto.randomUUID().slice(0, 20), cents))
    if (!one || !two || !more) throw new Error('no parts')
    expect(await payments.refundCharge(one)).toEqual({ kind: 'refused', reason: '54', failedBatch: null })
    await settle()
    expect(await payments.lookupRefund(one)).toEqual({ kind: 'absent' })
    expect(await payments.refundCharge(one)).toMatchObject({ kind: 'refunded' })
    expect(await payments.refundCharge(two)).toMatchObject({ kind: 'refunded' })
    expect(await payments.refundCharge(more)).toEqual({ kind: 'exceeded' })
    const found = await payments.lookupRefund(one)
    expect(found).toMatchObject({ kind: 'refunded', transactionId: expect.stringMatching(/^\d+$/) })
    await settle()
    expect(await payments.lookupRefund(one)).toEqual(found)
    expect(await payments.lookupRefund(more)).toEqual({ kind: 'absent' })
    const listed = await payments.listCharges(since)
    const charges = listed.kind === 'listed' ? listed.charges : []
    expect(charges.filter((charge) => charge.transactionId === transactionId)).toMatchObject([
      { amountCents: 999 },
    ])
    expect(charges.map((charge) => charge.reference)).not.toContain(one.reference)
  })

  test('that could not be voided is one that is made, and one that was voided isn’t', async () => {
    const since = new Date(Date.now() - 60_000)
    const outcome = await payments.charge(await attempt({}, { amountCents: 999 }))
    const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
    await settle()
    const wanted = { transactionId, amountCents: 400, lastFour: '1111', reference: uniqueReference() }
    const refunded = await payments.refundCharge(wanted)
    const number = refunded.kind === 'refunded' ? refunded.transactionId : ''
    await post(`${adminUrl}/transactions/${number}/couldNotVoid`, {})
    const listed = async () => {
      const answer = await payments.listRefunds({ since, until: new Date(Date.now() + 60_000) })
      return answer.kind === 'listed' && answer.refundIds.includes(number)
    }
    for (const happens of [async () => {}, settle]) {
      await happens()
      expect(await payments.findTransaction(number)).toMatchObject({ is: 'refund', chargeId: transactionId })
      expect(await payments.lookupRefund({ ...wanted, since })).toMatchObject({ kind: 'refunded' })
      expect(await listed()).toBe(true)
    }
    const other = await payments.refundCharge({ ...wanted, reference: uniqueReference() })
    const voided = other.kind === 'refunded' ? other.transactionId : ''
    await payments.voidCharge(voided)
    expect(await payments.findTransaction(voided)).toMatchObject({ is: 'unmade refund' })
  })

  test('is found as a void where that was made', async () => {
    const outcome = await payments.charge(await attempt())
    const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
    await payments.voidCharge(transactionId)
    const query = { transactionId, amountCents: 999, reference: 'a void has none', since: new Date() }
    expect(await payments.lookupRefund(query)).toEqual({ kind: 'voided', transactionId })
  })
})

test('a charge that is settled while the gateway’s lists are read is listed', async () => {
  const since = new Date(Date.now() - 60_000)
  const outcome = await payments.charge(await attempt())
  const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
  let answered = 0
  const slow = await gatewayWhere(async (answer) => {
    answered += 1
    if (answered === 1) await settle()
    return answer
  })
  expect(await chargesSince(since, slow)).toContain(transactionId)
})

test('a charge of any type that could not be voided is listed, as it settles', async () => {
  const since = new Date(Date.now() - 60_000)
  const outcome = await payments.charge(await attempt())
  const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
  await post(`${adminUrl}/transactions/${transactionId}/couldNotVoid`, {})
  // As one is that somebody authorized first, and captured, at the gateway itself.
  const byHand = await gatewayWhere(async (answer) =>
    answer.replace('"authCaptureTransaction"', '"priorAuthCaptureTransaction"'),
  )
  expect(await chargesSince(since, byHand)).toContain(transactionId)
})

/** The gateway with something between that may change its answers. */
async function gatewayWhere(change: (answer: string) => Promise<string>) {
  const between = createServer(async (request, response) => {
    const asked = await fetch(apiUrl, { method: 'POST', headers: JSON_TYPE, body: await text(request) })
    response.writeHead(asked.status, JSON_TYPE).end(await change(await asked.text()))
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void between.close())
  const { port } = between.address() as AddressInfo
  return authorizenet({ ...account, apiUrl: `http://127.0.0.1:${port}`, scriptUrl })
}

async function chargesSince(since: Date, gateway: ReturnType<typeof authorizenet>): Promise<string[]> {
  const listed = await gateway.listCharges(since)
  return listed.kind === 'listed' ? listed.charges.map(({ transactionId }) => transactionId) : []
}

describe('checking a token', () => {
  test('of a good card uses it up and captures nothing', async () => {
    const checked = await token()
    expect(await payments.checkToken(checked)).toEqual({ ok: true })
    expect(await payments.checkToken(checked)).toEqual({ ok: false, reason: 'E00114' })
    const { items } = await recorded('')
    const newest = items.find(({ type }) => type === 'authOnlyTransaction')
    expect(newest).toMatchObject({ amountCents: 1, status: 'voided' })
  })

  test.each([
    ['201', '2'],
    ['205', 'held'],
    ['217', 'E00115'],
    ['212', 'http_500'],
  ])('with card code %s fails with %s', async (cardCode, reason) => {
    expect(await payments.checkToken(await token({ cardCode }))).toEqual({ ok: false, reason })
  })
})

test('the browser is told the public half of the account only', () => {
  expect(payments.browser).toEqual({
    scriptUrl,
    apiLoginID: account.apiLoginID,
    clientKey: account.clientKey,
    scriptOrigin: origin,
    apiOrigins: [origin],
  })
})
