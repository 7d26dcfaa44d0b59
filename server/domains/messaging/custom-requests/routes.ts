import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import {
  acceptRequest,
  type By,
  createRequest,
  declineRequest,
  deleteRequest,
  deliverRequest,
} from './actions.ts'
import { findRequest, listRequests } from './data.ts'
import { presentRequest } from './present.ts'

export const customRequestHandlers = {
  async createCustomRequest(call) {
    const requestId = await createRequest(call.db, byOf(call), call.body)
    return show(call, requestId)
  },

  async customRequests({ db, viewer, audience, query }) {
    const { isCreator, filterType, ...page } = query
    const side = filterType === 'all' ? 'both' : isCreator ? 'received' : 'sent'
    return toPage(await listRequests(db, viewer.id, audience, { page, side }), page, presentRequest)
  },

  async deleteCustomRequest(call) {
    await deleteRequest(call.db, byOf(call), call.body)
    return { message: 'Your custom request was deleted.' }
  },

  async acceptCustomRequest(call) {
    const { requestId, price, deliveryDays } = call.body
    await acceptRequest(call.db, byOf(call), { requestId, price, deliveryDays })
    return show(call, requestId)
  },

  async declineCustomRequest(call) {
    await declineRequest(call.db, byOf(call), call.body)
    return show(call, call.body.requestId)
  },

  async deliverCustomRequest(call) {
    await deliverRequest(call.db, byOf(call), call.body)
    return show(call, call.body.requestId)
  },
} satisfies Partial<Handlers>

type Call = Pick<Parameters<Handlers['createCustomRequest']>[0], 'context' | 'viewer' | 'audience' | 'now'>

function byOf({ context, viewer, audience, now }: Call): By {
  const { config, publishingOpen } = context
  return { sender: viewer, audience, config, publishingOpen, now }
}

async function show({ db, viewer, audience }: Call & { db: Db }, requestId: string) {
  const request = await findRequest(db, requestId, viewer.id, audience)
  if (!request) throw new AppError('custom_request_not_found')
  return presentRequest(request)
}
