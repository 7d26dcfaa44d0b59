import type { z } from 'zod'
import { formatMoney } from '../../../../../contract/money.ts'
import type { libraryRoutes } from '../../../../../contract/routes/media/library.ts'
import type { UnlockableRow } from './data.ts'

type Unlockable = z.output<typeof libraryRoutes.unlockableMedia.output>['items'][number]

/** A locked item as whoever may unlock it for someone chooses it: by its words alone, as not all of them see all media. */
export function presentUnlockable(row: UnlockableRow): Unlockable {
  return {
    _id: row.id,
    title: row.title,
    type: row.type,
    price: row.price_cents === null ? null : formatMoney(row.price_cents),
    createdAt: row.created_at.toISOString(),
  }
}
