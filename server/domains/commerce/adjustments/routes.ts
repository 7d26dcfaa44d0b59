import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { centsOf } from '../rules.ts'
import { decideAdjustment, proposeAdjustment } from './actions.ts'
import { eachAdjustment, findOwnAccounts, listAdjustments } from './data.ts'
import { presentAdjustment, presentBooks, presentFile } from './present.ts'

export const adjustmentHandlers = {
  async books({ db }) {
    return presentBooks(await findOwnAccounts(db))
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
