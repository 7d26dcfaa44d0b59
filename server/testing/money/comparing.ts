import { expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Person } from '../builders.ts'
import { pages } from '../year/business.ts'
import type { Order } from './orders.ts'
import type { Seller } from './sellers.ts'
import { byId, expectedSub, shownSub, signedCents } from './shown.ts'
import { isLive } from './subs.ts'
import type { World } from './world.ts'

/** What fans and creators are shown, against the model. The orders that were just renewed get their ids. */
export async function compare(world: World, renewed: Order[]): Promise<void> {
  for (const fan of world.fans.keys()) await compareFan(world, fan, renewed)
  for (const [creator, { person }] of world.sellers.entries()) {
    const shown = await (await world.as(person)).call(routes.balance, { query: {} })
    const { pending, available, reserved, onTheWay, paidOut } = shown
    expect({
      creator,
      owed: signedCents(pending) + signedCents(available) + signedCents(reserved),
      onTheWay: signedCents(onTheWay),
    }).toEqual({
      ...{ creator, owed: world.model.owed(creator), onTheWay: 0 },
    })
    expect(signedCents(paidOut)).toBe(world.model.shops[creator]?.paidOut)
  }
}

async function compareFan(world: World, fan: number, renewed: Order[]): Promise<void> {
  const api = await world.as(world.fans[fan] as Person)
  const receipts = await pages((page) => api.call(routes.receipts, { query: page }))
  const known = new Set(world.model.orders.map(({ id }) => id))
  for (const order of renewed.filter((order) => order.fan === fan)) {
    const { person } = world.sellers[order.creator] as Seller
    const receipt = receipts.find(
      ({ _id, amount, creator }) =>
        !known.has(_id) && creator._id === person.id && amount === formatMoney(order.cents),
    )
    expect(receipt, 'a renewal was charged at its price').toBeDefined()
    order.id = receipt?._id ?? ''
    known.add(order.id)
  }
  // Each charge is one that the model knows, and none is missing.
  const own = world.model.orders.filter((order) => order.fan === fan)
  expect(receipts.map(({ _id }) => _id).sort()).toEqual(own.map(({ id }) => id).sort())
  const states = { paid: 'captured', disputed: 'disputed', lost: 'disputed', refunded: '' } as const
  for (const { _id, amount, status } of receipts) {
    const order = own.find(({ id }) => id === _id) as Order
    expect(amount).toBe(formatMoney(order.cents))
    if (order.state === 'refunded') expect(['refunded', 'voided']).toContain(status)
    else expect(status).toBe(states[order.state])
  }
  const { items: subs } = await api.call(routes.ownSubscriptions, { query: {} })
  expect(subs.map(shownSub).sort(byId)).toEqual(
    world.model.subs
      .filter((sub) => sub.fan === fan && isLive(sub))
      .map((sub) => expectedSub(sub, world.model.shops[sub.creator]?.price ?? 0))
      .sort(byId),
  )
}

/** All that a creator is shown to have earned and not been sent, in cents. */
export async function owedBy(world: World, creator: number): Promise<number> {
  const { person } = world.sellers[creator] as Seller
  const { pending, available, reserved } = await (await world.as(person)).call(routes.balance, { query: {} })
  return signedCents(pending) + signedCents(available) + signedCents(reserved)
}
