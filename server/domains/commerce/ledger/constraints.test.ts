import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tx } from '../../../db/client.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { after, movements } from '../../../testing/money/movements.ts'
import { start } from '../../../testing/money/posted-order.ts'
import { releaseDue } from './actions.ts'

const scene = movements()
const { inTx, balancesOf, sell } = scene

describe('the database refuses', () => {
  const ledger = async (creator: Person, kind: 'creator_pending' | 'gateway' = 'gateway') =>
    scene.harness.context.db
      .selectFrom('ledger_accounts')
      .select('id')
      .where('kind', '=', kind)
      .where('user_id', kind === 'gateway' ? 'is' : '=', kind === 'gateway' ? null : creator.id)
      .where('currency', '=', 'usd')
      .executeTakeFirstOrThrow()
  const post = (
    tx: Tx,
    lines: { account_id: string; amount_cents: number }[],
    kind: 'adjustment' | 'payout',
  ) =>
    tx
      .insertInto('journals')
      .values({ kind, source_type: 'adjustment', source_id: crypto.randomUUID(), occurred_at: start })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id: journal_id }) =>
        tx
          .insertInto('postings')
          .values(lines.map((line) => ({ ...line, journal_id })))
          .execute(),
      )

  test('two currencies that only balance together, and a pending share without its day', async () => {
    const creator = await buildCreator(scene.harness)
    await sell(creator)
    const [dollars, share] = [await ledger(creator), await ledger(creator, 'creator_pending')]
    const euros = await scene.harness.context.db
      .insertInto('ledger_accounts')
      .values({ kind: 'gateway', currency: 'eur', user_id: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const move = (from: string, to: string) =>
      inTx((tx) =>
        post(
          tx,
          [
            { account_id: from, amount_cents: -5 },
            { account_id: to, amount_cents: 5 },
          ],
          'adjustment',
        ),
      )
    await expect(move(dollars.id, euros.id)).rejects.toThrow(/sums to/)
    await expect(move(share.id, dollars.id)).rejects.toThrow(/needs the time/)
    expect(await balancesOf(creator)).toEqual({ creator_pending: 8000 })
  })

  test('sandbox and live money in one journal, and a balance below nothing', async () => {
    const creator = await buildCreator(scene.harness)
    await sell(creator)
    const { id: gateway } = await ledger(creator)
    const { id: share } = await ledger(creator, 'creator_pending')
    const lines = [
      { account_id: share, amount_cents: 8001 },
      { account_id: gateway, amount_cents: -8001 },
    ]
    await expect(inTx((tx) => post(tx, lines, 'adjustment'))).rejects.toThrow(/ledger_balances_check/)
    await expect(
      inTx(async (tx) => {
        await sql`update installation set livemode = true`.execute(tx)
        await post(tx, lines, 'adjustment')
      }),
    ).rejects.toThrow(/sandbox and live money meet/)
    expect(await balancesOf(creator)).toEqual({ creator_pending: 8000 })
  })

  test('a payout of more than there is, even where a balance may be negative', async () => {
    const creator = await buildCreator(scene.harness)
    await sell(creator)
    await inTx((tx) => releaseDue(tx, creator.id, after(7)))
    const { id: gateway } = await ledger(creator)
    const available = await scene.harness.context.db
      .selectFrom('ledger_accounts')
      .select('id')
      .where('user_id', '=', creator.id)
      .where('kind', '=', 'creator_available')
      .executeTakeFirstOrThrow()
    const lines = [
      { account_id: available.id, amount_cents: 8001 },
      { account_id: gateway, amount_cents: -8001 },
    ]
    await expect(inTx((tx) => post(tx, lines, 'payout'))).rejects.toThrow(/overdraws/)
    expect(await balancesOf(creator)).toMatchObject({ creator_available: 8000 })
  })
})
