import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { payouts } from '../../../testing/money/payouts.ts'
import { leave } from '../../../testing/security.ts'
import { postRefund } from '../ledger/actions.ts'

const scene = payouts()
const { sell, request, decide, exportAll } = scene

describe('the payout of somebody', () => {
  const setSuspended = (suspended: boolean) =>
    scene.harness.context.db
      .updateTable('users')
      .set({
        suspended_at: suspended ? scene.harness.clock.now() : null,
        suspension_reason: suspended ? 'Sold what isn’t theirs' : null,
      })
      .where('id', '=', scene.creator.id)
      .execute()
  const shown = async (payoutId: string) => {
    const { items } = await scene.finance.call(routes.allPayouts, { query: {} })
    return items.find(({ _id }) => _id === payoutId)
  }

  test('who is suspended is neither approved nor exported, and shows whose it is', async () => {
    await sell(10_000, 8)
    const waiting = await request('$80')
    await setSuspended(true)
    expect(await shown(waiting._id)).toMatchObject({
      person: { username: scene.creator.username },
      accountFlags: ['suspended'],
    })
    await expect(decide(waiting._id, 'approve')).rejects.toMatchObject({ code: 'payout_suspended' })
    await setSuspended(false)
    expect(await shown(waiting._id)).toMatchObject({ accountFlags: [] })
    await decide(waiting._id, 'approve')
    await setSuspended(true)
    const hold = { why: 'suspended', since: expect.any(String), until: null }
    expect(await shown(waiting._id)).toMatchObject({ accountFlags: ['suspended'], hold })
    const held = await exportAll()
    expect(held.csv).not.toContain(waiting._id)
    expect(held.held).toBeGreaterThan(0)
    await setSuspended(false)
    expect((await exportAll()).csv).toContain(waiting._id)
    await setSuspended(true)
    // Payouts that the bank already has are paid all the same.
    expect(await shown(waiting._id)).toMatchObject({ status: 'in_transit', accountFlags: [] })
    await setSuspended(false)
  })

  test('who is suspended and leaving shows both', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    await leave(scene.harness, scene.creator)
    await setSuspended(true)
    expect(await shown(_id)).toMatchObject({ accountFlags: ['suspended', 'leaving'] })
    await setSuspended(false)
  })

  test('who is leaving shows whose it is, and is paid', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    await leave(scene.harness, scene.creator)
    expect(await shown(_id)).toMatchObject({
      person: { username: scene.creator.username },
      accountFlags: ['leaving'],
    })
    await decide(_id, 'approve')
    expect((await exportAll()).csv).toContain(_id)
  })

  test('who has come to owe something since shows how much', async () => {
    const orderId = await sell(10_000, 8)
    const { _id } = await request('$50')
    expect(await shown(_id)).toMatchObject({ owes: null })
    const { db, clock } = scene.harness.context
    await db
      .transaction()
      .execute((tx) =>
        postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 10_000, now: clock.now() }),
      )
    expect(await shown(_id)).toMatchObject({ owes: '$50' })
    await decide(_id, 'cancel')
    const { items } = await scene.finance.call(routes.allPayouts, { query: { showing: 'all' } })
    expect(items.find((payout) => payout._id === _id)).toMatchObject({ owes: null })
  })
})
