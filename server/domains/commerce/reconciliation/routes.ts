import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { enqueueRuns } from '../../../jobs/enqueue.ts'
import { resolveFinding, takeFinding } from './actions.ts'
import { listFindings } from './data.ts'
import { presentFinding, presentSettlement } from './present.ts'
import { listSettlements } from './settlements/data.ts'

export const reconciliationHandlers = {
  async findings({ db }) {
    return { items: (await listFindings(db)).map(presentFinding) }
  },
  async settlements({ db, query }) {
    return toPage(await listSettlements(db, query), query, presentSettlement)
  },
  async takeFinding({ db, viewer, body, now }) {
    await takeFinding(db, { ...body, actorId: viewer.id, now })
    return { success: true }
  },
  async resolveFinding({ db, viewer, body, now }) {
    await resolveFinding(db, { ...body, actorId: viewer.id, now })
    // Its batch is posted at once, so that what is recorded from here on isn't taken for what they saw.
    await enqueueRuns(db, ['payments.compare'])
    return { success: true }
  },
} satisfies Partial<Handlers>
