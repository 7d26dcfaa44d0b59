import { describe, expect, test } from 'vitest'
import { NOBODY_LISTENS } from '../../../testing/gateway.ts'
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

withGateway()

describe('an approved charge', () => {
  test.each([1, 99, 100, 999, 123_456, 999_999_999])(
    'of %i cents is captured to the cent',
    async (amountCents) => {
      const wanted = await attempt({}, { amountCents })
      const outcome = await payments.charge(wanted)
      expect(outcome).toEqual({
        kind: 'approved',
        transactionId: expect.stringMatching(/^\d+$/),
        networkTransactionId: expect.stringMatching(/^\w+$/),
        card: { brand: 'Visa', lastFour: '1111' },
        storedCard: null,
        checks: { avs: 'Y', cvv: 'P' },
      })
      expect(await recorded(wanted.reference)).toMatchObject({ captures: 1, items: [{ amountCents }] })
    },
  )

  test('takes a description that is longer than the gateway stores', async () => {
    expect((await payments.charge(await attempt({}, { description: 'x'.repeat(300) }))).kind).toBe('approved')
  })
})

describe('the billing address of a card', () => {
  const at = async (zip: string, changes: Parameters<typeof attempt>[1] = {}) => {
    const billTo = { zip, address: '1 Main St' }
    return attempt({}, { source: { token: { ...(await token()), billTo }, saveCard: false }, ...changes })
  }

  test('is checked by its issuer, whose answer comes with the charge and with its look-up', async () => {
    const wanted = await at('46205')
    expect(await payments.charge(wanted)).toMatchObject({ kind: 'approved', checks: { avs: 'N' } })
    expect(await lookup(wanted)).toMatchObject({ kind: 'approved', checks: { avs: 'N' } })
    const { items } = await recorded(wanted.reference)
    expect(items).toMatchObject([{ billTo: { address: '1 Main St', zip: '46205' } }])
  })

  test('that an account doesn’t take declines the card by a reason of its own', async () => {
    const wanted = await at('46299')
    expect(await payments.charge(wanted)).toEqual({
      kind: 'declined',
      reason: '27',
      hard: false,
      checks: { avs: 'N', cvv: 'P' },
    })
    expect((await recorded(wanted.reference)).captures).toBe(0)
  })

  test('stays with a card that is stored, and is checked when that pays', async () => {
    const first = await at('46217')
    const outcome = await payments.charge({ ...first, source: { ...first.source, saveCard: true } as never })
    if (outcome.kind !== 'approved' || !outcome.storedCard) throw new Error(`the charge is ${outcome.kind}`)
    const renewal = await attempt({}, { source: { storedCard: outcome.storedCard }, occasion: 'renewal' })
    expect(await payments.charge(renewal)).toMatchObject({ kind: 'approved', checks: { avs: 'Z' } })
    const { items } = await recorded(renewal.reference)
    expect(items).toMatchObject([{ billTo: { address: '1 Main St', zip: '46217' } }])
  })
})

describe('what is not charged', () => {
  const declined = (reason: string, hard: boolean): ChargeOutcome => ({
    kind: 'declined',
    reason,
    hard,
    checks: { avs: expect.any(String), cvv: expect.any(String) },
  })
  const outcomes: [string, { cardNumber?: string; cardCode?: string }, ChargeOutcome][] = [
    ['a decline', { cardCode: '201' }, declined('2', false)],
    ['a lost or stolen card', { cardCode: '202' }, declined('4', true)],
    ['a wrong card code', { cardCode: '203' }, declined('44', false)],
    ['an expired card', { cardCode: '204' }, declined('8', true)],
    ['a declined number', { cardNumber: '4000000000000002' }, declined('2', false)],
    ['a used token', { cardCode: '216' }, { kind: 'refused', reason: 'E00114', tokenExpired: true }],
    ['an expired token', { cardCode: '217' }, { kind: 'refused', reason: 'E00115', tokenExpired: true }],
    ['a busy gateway', { cardCode: '218' }, { kind: 'refused', reason: 'E00053', tokenExpired: false }],
  ]
  test.each(outcomes)('%s', async (_name, card, expected) => {
    const wanted = await attempt(card)
    expect(await payments.charge(wanted)).toEqual(expected)
    expect((await recorded(wanted.reference)).captures).toBe(0)
  })

  test('a token that is used again', async () => {
    const first = await attempt()
    await payments.charge(first)
    const second = { ...first, reference: uniqueReference() }
    expect(await payments.charge(second)).toEqual({ kind: 'refused', reason: 'E00114', tokenExpired: true })
    expect((await recorded(second.reference)).items).toEqual([])
  })

  test('a reference that is too long for the gateway', async () => {
    const wanted = await attempt({}, { reference: 'x'.repeat(21) })
    expect(await payments.charge(wanted)).toEqual({ kind: 'refused', reason: 'E00003', tokenExpired: false })
    expect((await recorded(wanted.reference)).items).toEqual([])
  })

  test('wrong credentials', async () => {
    const wanted = await attempt()
    const stranger = authorizenet({ ...account, transactionKey: 'wrong', apiUrl, scriptUrl })
    expect(await stranger.charge(wanted)).toEqual({ kind: 'refused', reason: 'E00007', tokenExpired: false })
    expect((await recorded(wanted.reference)).items).toEqual([])
  })

  test('a gateway that refuses connections', async () => {
    const unreachable = authorizenet({ ...account, apiUrl: NOBODY_LISTENS, scriptUrl })
    expect(await unreachable.charge(await attempt())).toEqual({
      kind: 'refused',
      reason: 'gateway_unreachable',
      tokenExpired: false,
    })
    expect(await unreachable.voidCharge('1')).toEqual({ kind: 'unavailable', detail: 'econnrefused' })
    expect((await unreachable.lookup({ reference: 'a', amountCents: 1, since: new Date() })).kind).toBe(
      'unavailable',
    )
  })

  test('a gateway whose name nobody knows', async () => {
    const nowhere = authorizenet({ ...account, apiUrl: 'http://gateway.invalid/', scriptUrl })
    expect(await nowhere.charge(await attempt())).toEqual({
      kind: 'refused',
      reason: 'gateway_unreachable',
      tokenExpired: false,
    })
  })
})

test('held for review is held, to the charge and to the look-up, until it is decided', async () => {
  const [approved, declined] = [await attempt({ cardCode: '205' }), await attempt({ cardCode: '205' })]
  for (const [wanted, action, kind] of [
    [approved, 'approve', 'approved'],
    [declined, 'decline', 'declined'],
  ] as const) {
    const outcome = await payments.charge(wanted)
    if (outcome.kind !== 'held') throw new Error(`the charge is ${outcome.kind}`)
    expect(await lookup(wanted)).toEqual({ kind: 'held', transactionId: outcome.transactionId })
    expect((await recorded(wanted.reference)).captures).toBe(0)
    await post(`${adminUrl}/transactions/${outcome.transactionId}/${action}`, {})
    expect((await lookup(wanted)).kind).toBe(kind)
  }
})

describe('an unknown outcome', () => {
  test.each([
    ['resetBefore', '209', 0],
    ['resetAfter', '210', 1],
    ['serverErrorBefore', '211', 0],
    ['serverErrorAfter', '212', 1],
    ['truncatedAfter', '213', 1],
  ])('%s: the look-up finds the truth', async (_name, cardCode, captures) => {
    const wanted = await attempt({ cardCode })
    expect((await payments.charge(wanted)).kind).toBe('unknown')
    expect((await recorded(wanted.reference)).captures).toBe(captures)
    const found = await lookup(wanted)
    expect(found).toMatchObject(
      captures === 1
        ? { kind: 'approved', amountCents: 999, card: { brand: 'Visa', lastFour: '1111' } }
        : { kind: 'absent' },
    )
  })

  test('a time-out after the charge is unknown, then found', async () => {
    const hasty = authorizenet({ ...account, apiUrl, scriptUrl, timeoutMs: 3000 })
    const wanted = await attempt({ cardCode: '208' })
    expect(await hasty.charge(wanted)).toEqual({ kind: 'unknown', detail: 'timeout' })
    expect((await lookup(wanted)).kind).toBe('approved')
  })

  test('a time-out before the charge is unknown, then absent', async () => {
    const hasty = authorizenet({ ...account, apiUrl, scriptUrl, timeoutMs: 100 })
    const wanted = await attempt({ cardCode: '207' })
    expect(await hasty.charge(wanted)).toEqual({ kind: 'unknown', detail: 'timeout' })
    expect(await lookup(wanted)).toEqual({ kind: 'absent' })
  })

  test('a charge that shows up late is absent at first', async () => {
    const wanted = await attempt({ cardCode: '214' })
    expect((await payments.charge(wanted)).kind).toBe('unknown')
    expect(await lookup(wanted)).toEqual({ kind: 'absent' })
    await post(`${origin}/clock`, { advanceSeconds: 300 })
    expect((await lookup(wanted)).kind).toBe('approved')
    expect((await recorded(wanted.reference)).captures).toBe(1)
  })

  test('processing trouble is unknown, then declined', async () => {
    const wanted = await attempt({ cardCode: '206' })
    expect(await payments.charge(wanted)).toEqual({ kind: 'unknown', detail: 'reason_19' })
    expect(await lookup(wanted)).toMatchObject({ kind: 'declined', reason: '19', hard: false })
  })

  test('a duplicate is unknown, then found: charged once', async () => {
    const wanted = await attempt()
    const first = await payments.charge(wanted)
    const resent = { ...wanted, source: { token: await token(), saveCard: false } }
    expect(await payments.charge(resent)).toEqual({ kind: 'unknown', detail: 'reason_11' })
    const found = await lookup(resent)
    expect(found).toMatchObject({
      kind: 'approved',
      transactionId: first.kind === 'approved' ? first.transactionId : '',
    })
    expect((await recorded(wanted.reference)).captures).toBe(1)
  })
})

describe('the look-up', () => {
  test('finds what has settled since', async () => {
    const wanted = await attempt({ cardCode: '210' })
    await payments.charge(wanted)
    await settle()
    expect((await lookup(wanted)).kind).toBe('approved')
  })

  test('tells what was voided and what was declined', async () => {
    const [voided, declined] = [await attempt(), await attempt({ cardCode: '201' })]
    const outcome = await payments.charge(voided)
    if (outcome.kind !== 'approved') throw new Error(`the charge is ${outcome.kind}`)
    await payments.voidCharge(outcome.transactionId)
    await payments.charge(declined)
    expect(await lookup(voided)).toEqual({ kind: 'voided', transactionId: outcome.transactionId })
    expect(await lookup(declined)).toMatchObject({ kind: 'declined', reason: '2', hard: false })
  })

  test('tells the decline of a card that must not be tried again as the charge did', async () => {
    const wanted = await attempt({ cardCode: '202' })
    const outcome = await payments.charge(wanted)
    expect(outcome).toMatchObject({ kind: 'declined', reason: '4', hard: true })
    expect(await lookup(wanted)).toEqual(outcome)
  })

  test.each([
    ['settlementError', { kind: 'unsettled' }],
    ['couldNotVoid', { kind: 'approved' }],
  ])('tells what %s means of a charge', async (action, meaning) => {
    const wanted = await attempt()
    const outcome = await payments.charge(wanted)
    if (outcome.kind !== 'approved') throw new Error(`the charge is ${outcome.kind}`)
    await post(`${adminUrl}/transactions/${outcome.transactionId}/${action}`, {})
    expect(await lookup(wanted)).toMatchObject(meaning)
    await settle()
    expect(await lookup(wanted)).toMatchObject(meaning)
  })

  test('prefers the charge where one reference was declined first', async () => {
    const declined = await attempt({ cardCode: '201' })
    await payments.charge(declined)
    await payments.charge({ ...declined, source: { token: await token(), saveCard: false } })
    expect((await lookup(declined)).kind).toBe('approved')
  })

  test('never takes a reference with another amount for absent', async () => {
    const wanted = await attempt()
    await payments.charge(wanted)
    expect(await lookup({ ...wanted, amountCents: 998 })).toEqual({
      kind: 'unavailable',
      detail: 'amount_differs',
    })
  })

  test('is absent for a reference that was never sent', async () => {
    expect(await lookup(await attempt())).toEqual({ kind: 'absent' })
  })

  test.each([
    ['getUnsettledTransactionListRequest', 'resetBefore', true],
    ['getUnsettledTransactionListRequest', 'serverErrorBefore', true],
    ['getUnsettledTransactionListRequest', 'truncatedAfter', true],
    ['getUnsettledTransactionListRequest', 'busy', true],
    ['getTransactionDetailsRequest', 'busy', true],
    ['getSettledBatchListRequest', 'busy', false],
  ])('is unavailable, never absent, when %s fails by %s', async (call, effect, isCharged) => {
    const wanted = await attempt()
    if (isCharged) await payments.charge(wanted)
    await planFault(effect, call)
    expect((await lookup(wanted)).kind).toBe('unavailable')
    expect((await lookup(wanted)).kind).toBe(isCharged ? 'approved' : 'absent')
  })
})
