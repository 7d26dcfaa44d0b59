import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { orderRoutes, Purchase } from '../../../../contract/routes/commerce/orders.ts'
import { statusMessage } from '../payments/rules.ts'
import { presentSeller } from '../present.ts'
import { owedOf } from '../price-changes/rules.ts'
import { monthsLater } from '../subscriptions/rules.ts'
import type { OwedRow, PurchaseRow } from './data.ts'

type Owed = NonNullable<z.output<typeof orderRoutes.openPurchase.output>['owed']>

/** An order and its payment as the buyer sees them. */
export function presentPurchase(row: PurchaseRow, brand: string): z.output<typeof Purchase> {
  return {
    _id: row.id,
    kind: row.kind,
    itemId: row.item_id,
    status: row.status,
    amount: formatMoney(row.amount_cents),
    title: row.title,
    creatorUsername: presentSeller(row, brand).username,
    createdAt: row.created_at.toISOString(),
    renewsAt: row.renewsAt?.toISOString() ?? null,
    message: statusMessage(row),
  }
}

/** What is owed for a period, and until when it is paid then. */
export function presentOwed(row: OwedRow): Owed {
  const { months, cents } = owedOf(row)
  return { price: formatMoney(cents), months, paidUntil: monthsLater(row, months).toISOString() }
}
