import type { Handlers } from '../../../handler.ts'
import { saveBankDetails } from './actions.ts'
import { findBankDetails } from './data.ts'
import { presentBankDetails } from './present.ts'

export const bankDetailsHandlers = {
  async bankDetails({ db, viewer, now }) {
    const row = await findBankDetails(db, viewer.id)
    return { details: row ? presentBankDetails(row, now) : null }
  },
  async saveBankDetails({ context, db, viewer, body, now }) {
    const row = await saveBankDetails(db, context.vault, { ...body, userId: viewer.id, now })
    return presentBankDetails(row, now)
  },
} satisfies Partial<Handlers>
