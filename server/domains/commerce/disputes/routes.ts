import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { enqueueRuns } from '../../../jobs/enqueue.ts'
import { centsOf } from '../rules.ts'
import { decideDispute, openDispute } from './actions.ts'
import { countDisputes, findDispute, listDisputes } from './data.ts'
import { findEvidence } from './evidence/data.ts'
import { presentEvidence } from './evidence/present.ts'
import { presentDispute } from './present.ts'
import { ratioPercent, ratioSince } from './rules.ts'

export const disputeHandlers = {
  async disputes({ db, query }) {
    return toPage(await listDisputes(db, query.showing, query), query, presentDispute)
  },
  async disputeRatio({ db, now }) {
    const { payments, disputes } = await countDisputes(db, ratioSince(now))
    return { payments, disputes, percent: ratioPercent(disputes, payments) }
  },
  async openDispute({ db, viewer, body, now }) {
    const { transactionId: orderId, amount, fee, cause, caseNumber, respondBy, reason } = body
    const disputeId = await openDispute(db, {
      ...{ orderId, cause, caseNumber, reason, now, operatorId: viewer.id },
      cents: centsOf(amount),
      feeCents: centsOf(fee),
      respondBy: respondBy ?? null,
    })
    // What was found of the chargeback goes with it, before somebody resolves it by hand as well.
    await enqueueRuns(db, ['payments.compare'])
    const opened = await findDispute(db, disputeId)
    if (!opened) throw new AppError('internal')
    return presentDispute(opened)
  },
  async decideDispute({ db, viewer, body, now }) {
    await decideDispute(db, { ...body, operatorId: viewer.id, now })
    return { success: true }
  },
  async disputeEvidence({ db, params }) {
    const evidence = await findEvidence(db, params.disputeId)
    if (!evidence) throw new AppError('not_found')
    return { sections: presentEvidence(evidence) }
  },
} satisfies Partial<Handlers>
