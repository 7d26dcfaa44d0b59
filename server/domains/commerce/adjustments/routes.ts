import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { findFirstPosting, findMonth, findMovements, findOwed } from '../ledger/books/months/data.ts'
import { presentEarned, presentMonthFile } from '../ledger/books/months/present.ts'
import { earnedOf, monthOf, monthsSince } from '../ledger/books/months/rules.ts'
import { centsOf } from '../rules.ts'
import { decideAdjustment, proposeAdjustment } from './actions.ts'
import { eachAdjustment, findOwnAccounts, listAdjustments } from './data.ts'
import { presentAdjustment, presentBooks, presentFile } from './present.ts'

export const adjustmentHandlers = {
  async books({ db }) {
    return presentBooks(await findOwnAccounts(db))
  },
  async booksMonth({ db, query, now }) {
    const months = monthsSince(await findFirstPosting(db), now)
    const month = query.month ?? monthOf(now)
    const earned = earnedOf(await findMovements(db, month))
    return { month, months, ...presentEarned(earned, await findOwed(db, month)) }
  },
  async booksMonthFile({ db, query }) {
    return {
      name: `books-${query.month}.csv`,
      body: presentMonthFile(query.month, await findMonth(db, query.month)),
    }
  },
  async adjustments({ db, query }) {
    return toPage(await listAdjustments(db, query.showing, query), query, presentAdjustment)
  },
  async proposeAdjustment({ db, viewer, body, now }) {
    const { amount, ...wanted } = body
    const proposed = { ...wanted, cents: centsOf(amount), actorId: viewer.id, now }
    return presentAdjustment(await proposeAdjustment(db, proposed))
  },
  async decideAdjustment({ db, viewer, body, now }) {
    return presentAdjustment(await decideAdjustment(db, { ...body, actorId: viewer.id, now }))
  },
  async adjustmentsFile({ db, now }) {
    return {
      name: `adjustments-${now.toISOString().slice(0, 10)}.csv`,
      body: presentFile(eachAdjustment(db)),
    }
  },
} satisfies Partial<Handlers>
