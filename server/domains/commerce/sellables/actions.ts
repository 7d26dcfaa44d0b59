import type { Kind } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { bundle } from './bundles/actions.ts'
import { custom } from './custom-requests/actions.ts'
import type { Sellable } from './data.ts'
import { donation } from './donations/actions.ts'
import { message } from './messages/actions.ts'
import { singles } from './offered-singles/actions.ts'
import { single } from './singles/actions.ts'
import { subscription } from './subscriptions/actions.ts'
import { tip } from './tips/actions.ts'

/** Everything that can be bought, by its kind; a new kind is a folder and a line here and in `contract/orders.ts`. */
export const sellables: Record<Kind, Sellable> = {
  single,
  singles,
  bundle,
  subscription,
  message,
  tip,
  donation,
  custom,
}

/** Until when what a paid order bought is to be delivered, while it isn't; null where there is nothing to deliver. */
export async function findDeliveredBy(
  db: Db,
  { id, kind }: { id: string; kind: Kind },
): Promise<Date | null> {
  return (await sellables[kind].deliveredBy?.(db, id)) ?? null
}
