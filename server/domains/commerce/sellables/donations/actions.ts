import { DONATION_ID } from '../../../../../contract/orders.ts'
import { itemOf, type Sellable } from '../data.ts'
import { tip } from '../tips/actions.ts'
import { findDonee } from './data.ts'

/** Money for the operator: all of it is the platform's, and it is nobody's personal sale (docs/decisions/050-donations.md). */
export const donation: Sellable = {
  ...tip,
  async find(db, itemId, { amountCents }) {
    const donee = itemId === DONATION_ID ? await findDonee(db) : null
    if (donee === null || amountCents === null) return null
    const sold = {
      creator_id: donee,
      title: 'Tip for this site',
      price_cents: amountCents,
      hidden_at: null,
    }
    return { ...itemOf('donation', sold, null), isPlatforms: true }
  },
}
