import { DONATION_ID } from '../../../../../contract/orders.ts'
import { rolesWith } from '../../../../../contract/permissions.ts'
import type { Db } from '../../../../db/client.ts'
import { itemOf, type Sellable } from '../data.ts'
import { tip } from '../tips/actions.ts'

/** Money for the operator: all of it is the platform's, and no person's sale (docs/decisions/050-donations.md). */
export const donation: Sellable = {
  ...tip,
  async find(db, itemId, { amountCents, brand }) {
    const donee = itemId === DONATION_ID ? await findDonee(db) : null
    if (donee === null || amountCents === null) return null
    const sold = {
      creator_id: donee,
      title: `Tip to ${brand}`,
      price_cents: amountCents,
      hidden_at: null,
    }
    return { ...itemOf('donation', sold, null), isPlatforms: true }
  },
}

/** The account that stands on tips for the operator as their seller: the first who may do everything; null while there is none. */
export async function findDonee(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', rolesWith('people.setRole'))
    .where('hidden_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
