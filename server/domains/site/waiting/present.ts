import { formatMoney } from '../../../../contract/money.ts'
import type { findWaitingRequests } from '../../messaging/custom-requests/data.ts'
import type { WaitingThing } from './data.ts'

/** A person's open custom requests, by kind. */
export function presentRequests({
  toPay,
  toAnswer,
  toDeliver,
  askedSince,
  deliverBy,
  priceCents,
  creator,
}: Awaited<ReturnType<typeof findWaitingRequests>>): WaitingThing[] {
  const none = { since: null, due: null, amount: null, name: null }
  const isOne = toPay === 1
  const things: WaitingThing[] = [
    {
      ...none,
      kind: 'request_to_pay',
      count: toPay,
      amount: isOne && priceCents !== null ? formatMoney(priceCents) : null,
      name: isOne ? creator : null,
    },
    { ...none, kind: 'request_to_answer', count: toAnswer, since: askedSince?.toISOString() ?? null },
    { ...none, kind: 'request_to_deliver', count: toDeliver, due: deliverBy?.toISOString() ?? null },
  ]
  return things.filter(({ count }) => count > 0)
}
