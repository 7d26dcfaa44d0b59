import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { readBytes } from '../../../streams/read-bytes.ts'
import { receiveNotice } from './actions.ts'

const MAX_NOTICE_BYTES = 64 * 1024

export const webhookHandlers = {
  async gatewayWebhook({ context, db, stream, header, now }) {
    const { readWebhook } = context.payments
    if (!readWebhook) throw new AppError('not_found')
    const body = await readBytes(stream, MAX_NOTICE_BYTES)
    const notice = readWebhook({ body, signature: header('x-anet-signature') ?? '' })
    if (notice === 'forged') throw new AppError('webhook_signature_invalid')
    if (notice === 'unreadable') throw new AppError('malformed_body')
    await db.transaction().execute((tx) => receiveNotice(tx, notice, now))
    return { success: true }
  },
} satisfies Partial<Handlers>
