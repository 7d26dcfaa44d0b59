import { expect, test } from 'vitest'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { renewals } from '../../../../testing/money/renewals.ts'
import { lockDue } from './data.ts'

const scene = renewals()

test('a card that is put on a subscription while it is waited for is the one that it renews by', async () => {
  const { db, clock } = scene.harness.context
  const { id, stored_card_id: cardId } = await scene.subscription()
  await db.updateTable('subscriptions').set({ stored_card_id: null }).where('id', '=', id).execute()
  let due: ReturnType<typeof lockDue> | undefined
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('subscriptions').set({ stored_card_id: cardId }).where('id', '=', id).execute()
    due = db.transaction().execute((waiting) => lockDue(waiting, clock.now(), { limit: 1, only: id }))
    await expect.poll(() => waitingForLocks(db, 'subscriptions')).toBe(1)
  })
  expect(await due).toMatchObject([{ id, stored_card_id: cardId }])
})
