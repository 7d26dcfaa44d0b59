import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decideHeld, voidUnsettled } from './calls/follow-up.ts'
import { isEffectName } from './effects.ts'
import { clearFaults, planFault, plannedFaults } from './faults.ts'
import { atomically, findTransaction, type Gateway, setStatus, type TransactionRow } from './gateway.ts'
import { isCallName } from './schema/requests.ts'
import { resetBatch, settleDue, settleNow } from './settlement.ts'
import { listNotices, type NoticeRow, type Webhooks } from './webhooks.ts'
import { at, textAt, timeUtc } from './wire.ts'

/** Statuses in which the merchant has, or will get, the money of a charge. */
const CAPTURED = ['capturedPendingSettlement', 'settledSuccessfully', 'chargeback', 'couldNotVoid']

/** The events that can happen to a charge without a call, and in which status. */
const HAPPENINGS: Record<string, string> = {
  chargeback: 'settledSuccessfully',
  couldNotVoid: 'capturedPendingSettlement',
  settlementError: 'capturedPendingSettlement',
}

class AdminError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, text: string) {
    super(text)
    this.statusCode = statusCode
  }
}

/**
 * Calls that the real gateway lacks: reading all transactions, settling at once, reviewing, disputing, planning
 * faults, webhooks by hand.
 */
export function mountAdmin(app: FastifyInstance, gateway: Gateway, notices: Webhooks): void {
  app.register(
    async (admin) => {
      admin.setErrorHandler((error: Error, _request, reply) => {
        const status = error instanceof AdminError ? error.statusCode : 500
        return reply.code(status).send({ error: status === 500 ? 'The sandbox failed.' : error.message })
      })
      admin.get('/transactions', async (request) => {
        settleDue(gateway)
        return transactions(gateway, textAt(request.query, 'invoiceNumber'))
      })
      admin.post('/settle', async (request, reply) => done(request, reply, { batchId: settleNow(gateway) }))
      admin.post('/settle/fail', async (request, reply) =>
        done(request, reply, { batchId: settleNow(gateway, 'settlementError') }),
      )
      admin.post('/batches/:batchId/reset', async (request, reply) => {
        const { batchId } = request.params as { batchId: string }
        if (!resetBatch(gateway, batchId))
          throw new AdminError(409, 'Nothing of this batch failed to settle.')
        return done(request, reply, { batchId })
      })
      admin.post('/transactions/:transId/:action', async (request, reply) => {
        const { transId, action } = request.params as { transId: string; action: string }
        const row = findTransaction(gateway, transId)
        if (!row) throw new AdminError(404, 'There is no such transaction.')
        if (!act(gateway, row, action))
          throw new AdminError(409, `A transaction that is ${row.status} cannot be changed by '${action}'.`)
        return done(request, reply, { transaction: present(findTransaction(gateway, transId) ?? row) })
      })
      admin.get('/webhooks', async () => ({ items: listNotices(gateway, 1000).map(presentNotice) }))
      admin.post('/webhooks/deliver', async (request, reply) => {
        await notices.deliver()
        return done(request, reply, { items: listNotices(gateway, 1000).map(presentNotice) })
      })
      admin.post('/webhooks/:notificationId/:action', async (request, reply) => {
        const { notificationId, action } = request.params as { notificationId: string; action: string }
        const row = gateway.db.prepare('select * from notices where notificationId = ?').get(notificationId)
        if (!row) throw new AdminError(404, 'There is no such webhook.')
        if (action !== 'send' && action !== 'forge')
          throw new AdminError(409, `A webhook cannot be changed by '${action}'.`)
        return done(request, reply, { answer: await notices.send(row as NoticeRow, action) })
      })
      admin.get('/faults', async () => ({ items: plannedFaults(gateway) }))
      admin.post('/faults', async (request) => {
        plan(gateway, parse(request))
        return { items: plannedFaults(gateway) }
      })
      admin.delete('/faults', async () => {
        clearFaults(gateway)
        return { items: [] }
      })
      admin.post('/settings', async (request) => {
        const plainHttp = textAt(parse(request), 'plainHttp')
        if (!['localhost', 'never', 'always'].includes(plainHttp))
          throw new AdminError(400, "plainHttp is 'localhost', 'never' or 'always'.")
        gateway.db
          .prepare("insert or replace into settings (name, value) values ('plainHttp', ?)")
          .run(plainHttp)
        return { plainHttp }
      })
    },
    { prefix: '/admin' },
  )
}

/** The buttons of the sandbox's page post forms and want to come back to it. */
function done(request: FastifyRequest, reply: FastifyReply, result: object): unknown {
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  return isForm ? reply.redirect(request.url.replace(/\/admin\/.*$/, '/'), 303) : result
}

function parse(request: FastifyRequest): unknown {
  try {
    return JSON.parse(String(request.body))
  } catch {
    throw new AdminError(400, 'The body isn’t JSON.')
  }
}

function plan(gateway: Gateway, wanted: unknown): void {
  const effect = textAt(wanted, 'effect')
  const call = textAt(wanted, 'call')
  const times = at(wanted, 'times') ?? 1
  if (!isEffectName(effect)) throw new AdminError(400, `There is no effect '${effect}'.`)
  if (call !== '' && !isCallName(call)) throw new AdminError(400, `There is no call '${call}'.`)
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > 1000)
    throw new AdminError(400, 'times is 1 to 1000.')
  atomically(gateway, () => planFault(gateway, { call: call === '' ? null : call, effect, times }))
}

function act(gateway: Gateway, row: TransactionRow, action: string): boolean {
  if (action === 'approve' || action === 'decline') return decideHeld(gateway, row, action)
  if (action === 'void') return voidUnsettled(gateway, row)
  const isRefund = row.type === 'refundTransaction' && action === 'couldNotVoid'
  const before = isRefund ? 'refundPendingSettlement' : HAPPENINGS[action]
  if ((row.type !== 'authCaptureTransaction' && !isRefund) || before !== row.status) return false
  setStatus(gateway, row.id, action)
  if (action === 'chargeback')
    gateway.db
      .prepare('update transactions set chargedBackAt = ? where id = ?')
      .run(gateway.now().getTime(), row.id)
  return true
}

/** All transactions, newest first, or those of one invoice number; and how many charges each invoice number captured. */
function transactions(gateway: Gateway, invoiceNumber: string): object {
  const rows = gateway.db
    .prepare("select * from transactions where ? in ('', invoiceNumber) order by id desc")
    .all(invoiceNumber) as TransactionRow[]
  const capturesByInvoice: Record<string, number> = {}
  for (const row of rows) {
    const isCapture = row.type === 'authCaptureTransaction' && CAPTURED.includes(row.status)
    capturesByInvoice[row.invoiceNumber] = (capturesByInvoice[row.invoiceNumber] ?? 0) + (isCapture ? 1 : 0)
  }
  return { items: rows.map(present), capturesByInvoice }
}

export function presentNotice(row: NoticeRow) {
  const { notificationId, eventType, transId, body, attempts, lastAnswer } = row
  return {
    ...{ notificationId, eventType, transId: String(transId), body, attempts, lastAnswer },
    createdAt: timeUtc(row.createdAt),
    dueAt: row.dueAt === null ? null : timeUtc(row.dueAt),
  }
}

export function present(row: TransactionRow) {
  return {
    transId: String(row.id),
    type: row.type,
    status: row.status,
    amountCents: row.amountCents,
    responseCode: row.responseCode,
    reasonCode: row.reasonCode,
    invoiceNumber: row.invoiceNumber,
    refId: row.refId,
    description: row.description,
    customerId: row.customerId,
    brand: row.brand,
    lastFour: row.lastFour,
    isRecurring: row.recurring === 1,
    addressResult: row.addressResult,
    billTo: JSON.parse(row.billTo) as Record<string, string>,
    details: JSON.parse(row.details) as Record<string, unknown>,
    refTransId: row.refTransId === null ? null : String(row.refTransId),
    customerProfileId: row.profileId === null ? null : String(row.profileId),
    customerPaymentProfileId: row.paymentProfileId === null ? null : String(row.paymentProfileId),
    submittedAt: timeUtc(row.submittedAt),
    batchId: row.batchId === null ? null : String(row.batchId),
  }
}
