import { formatMoney } from '../../../../contract/money.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { AnsweredFile, Handlers } from '../../../handler.ts'
import { makeStatement, openStatement } from './actions.ts'
import { findHolder, findMonths, type Holder } from './data.ts'
import { presentStatement } from './present.ts'
import { finishedMonths } from './rules.ts'

export const statementHandlers = {
  async statements({ db, viewer, now }) {
    const months = finishedMonths(await findMonths(db, viewer.id), now)
    return {
      items: months.map(({ month, changeCents, closingCents }) => ({
        month,
        change: formatMoney(changeCents),
        closing: formatMoney(closingCents),
      })),
    }
  },
  async statementFile({ context, db, viewer, params, now }) {
    const holder = await findHolder(db, { userId: viewer.id })
    if (!holder) throw new AppError('user_not_found')
    return fileOf(context, db, { holder, month: params.month, now })
  },
  async anyStatementFile({ context, db, viewer, body, now }) {
    const holder = await openStatement(db, { ...body, actorId: viewer.id, now })
    return fileOf(context, db, { holder, month: body.month, now })
  },
} satisfies Partial<Handlers>

async function fileOf(
  { config, payments }: Context,
  db: Db,
  asked: { holder: Holder; month: string; now: Date },
): Promise<AnsweredFile> {
  const statement = await makeStatement(db, asked)
  const whose = { holder: asked.holder, brand: config.BRAND_NAME, sandbox: payments.sandbox }
  const name = `statement-${asked.month}-${asked.holder.username.replace(/[^\w.-]/g, '_')}.pdf`
  return { name, body: await presentStatement(statement, whose) }
}
