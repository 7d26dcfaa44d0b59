import { formatMoney } from '../../../../contract/money.ts'
import { permissionsOf } from '../../../../contract/permissions.ts'
import type { Handlers } from '../../../handler.ts'
import { findMoneyWaiting } from '../../commerce/waiting/data.ts'
import { findWaitingRequests } from '../../messaging/custom-requests/data.ts'
import { findDecisions, findPromotion, type WaitingThing } from './data.ts'
import { inOrder } from './rules.ts'

export const waitingHandlers = {
  async waiting({ context, db, viewer, now }) {
    const { id, role, isCreator } = viewer
    const parts = await Promise.all([
      findDecisions(db, { operatorId: id, permissions: permissionsOf(role) }),
      findMoneyWaiting(db, id, now),
      findWaitingRequests(db, id).then(presentRequests),
      isCreator && context.forum ? findPromotion(db, id, now) : [],
    ])
    return { items: inOrder(parts.flat()) }
  },
} satisfies Partial<Handlers>

function presentRequests({
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
