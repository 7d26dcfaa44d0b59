import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { findOrderBalances, findTotals } from '../ledger/data.ts'
import { answerPriceChange } from '../price-changes/answering/actions.ts'
import { centsOf } from '../rules.ts'
import { cancelOwnSubscription, resumeSubscription } from './actions.ts'
import { listOwnSubscriptions, listPending, listReceipts } from './data.ts'
import { presentOwnSubscription, presentPending, presentReceipt } from './present.ts'
import { changeTerm } from './terms/actions.ts'

export const renewalHandlers = {
  async ownSubscriptions({ db, viewer, query, now }) {
    const rows = await listOwnSubscriptions(db, viewer.id, query)
    return toPage(rows, query, (row) => presentOwnSubscription(row, now))
  },
  async cancelSubscription({ db, viewer, body, now }) {
    const { subscriptionId } = body
    return presentOwnSubscription(
      await cancelOwnSubscription(db, { fanId: viewer.id, subscriptionId, now }),
      now,
    )
  },
  async resumeSubscription({ db, viewer, body, now }) {
    const { subscriptionId } = body
    return presentOwnSubscription(
      await resumeSubscription(db, { fanId: viewer.id, subscriptionId, now }),
      now,
    )
  },
  async changeTerm({ db, viewer, client, body, now }) {
    const { subscriptionId, months, price } = body
    const wanted = {
      fanId: viewer.id,
      subscriptionId,
      months,
      shownCents: centsOf(price),
      ip: client.ip,
      now,
    }
    return presentOwnSubscription(await changeTerm(db, wanted), now)
  },
  async answerPriceChange({ db, viewer, client, body, now }) {
    const { subscriptionId, agree, price } = body
    const asked = { fanId: viewer.id, subscriptionId, agree, shownCents: centsOf(price), ip: client.ip, now }
    return presentOwnSubscription(await answerPriceChange(db, asked), now)
  },
  async receipts({ context, db, viewer, query }) {
    const brand = context.config.BRAND_NAME
    const rows = await listReceipts(db, viewer.id, query)
    const balances = await findOrderBalances(
      db,
      rows.map(({ id }) => id),
    )
    const { spent } = await findTotals(db, viewer.id)
    return {
      ...toPage(rows, query, (row) => presentReceipt(row, balances.get(row.id)?.returnedCents ?? 0, brand)),
      totalSpent: formatMoney(spent),
      pending:
        query.cursor === undefined && !query.skip
          ? (await listPending(db, viewer.id)).map((row) => presentPending(row, brand))
          : [],
    }
  },
} satisfies Partial<Handlers>
