import type { Call, Reply } from './calls/call.ts'
import { charge } from './calls/charge.ts'
import { captureAuthorised, refund, updateHeld, voidTransaction } from './calls/follow-up.ts'
import {
  createPaymentProfile,
  createProfile,
  deletePaymentProfile,
  deleteProfile,
  getPaymentProfile,
  getProfile,
  updatePaymentProfile,
} from './calls/profile.ts'
import { createProfileFromTransaction } from './calls/profile-from-transaction.ts'
import {
  getBatchStatistics,
  getSettledBatchList,
  getTransactionDetails,
  getTransactionList,
  getUnsettledTransactionList,
} from './calls/reporting.ts'
import { createToken } from './calls/token.ts'
import { takeFault } from './faults.ts'
import { atomically, type Gateway } from './gateway.ts'
import { complaintAbout } from './schema/element.ts'
import { type CallName, isCallName, requests } from './schema/requests.ts'
import { settleDue } from './settlement.ts'
import { ApiError, messages, ok, textAt } from './wire.ts'

const handlers: Record<CallName, (gateway: Gateway, call: Call) => Reply> = {
  authenticateTestRequest: () => ({ body: { messages: ok() } }),
  getMerchantDetailsRequest: (gateway) => ({ body: merchantDetails(gateway) }),
  securePaymentContainerRequest: createToken,
  createTransactionRequest: createTransaction,
  updateHeldTransactionRequest: updateHeld,
  createCustomerProfileRequest: createProfile,
  createCustomerPaymentProfileRequest: createPaymentProfile,
  updateCustomerPaymentProfileRequest: updatePaymentProfile,
  createCustomerProfileFromTransactionRequest: createProfileFromTransaction,
  getCustomerProfileRequest: getProfile,
  getCustomerPaymentProfileRequest: getPaymentProfile,
  deleteCustomerProfileRequest: deleteProfile,
  deleteCustomerPaymentProfileRequest: deletePaymentProfile,
  getTransactionDetailsRequest: getTransactionDetails,
  getUnsettledTransactionListRequest: getUnsettledTransactionList,
  getSettledBatchListRequest: getSettledBatchList,
  getTransactionListRequest: getTransactionList,
  getBatchStatisticsRequest: getBatchStatistics,
}

function createTransaction(gateway: Gateway, call: Call): Reply {
  const type = textAt(call.request, 'transactionRequest', 'transactionType')
  switch (type) {
    case 'authCaptureTransaction':
    case 'authOnlyTransaction':
      return charge(gateway, call, type)
    case 'priorAuthCaptureTransaction':
      return captureAuthorised(gateway, call)
    case 'voidTransaction':
      return voidTransaction(gateway, call)
    case 'refundTransaction':
      return refund(gateway, call)
    default:
      throw new ApiError('E00013', `The transaction type '${type}' is invalid, or not built in this sandbox.`)
  }
}

function merchantDetails(gateway: Gateway): Record<string, unknown> {
  return {
    isTestMode: false,
    processors: [{ name: 'Sandbox', id: 2 }],
    merchantName: 'Sandbox merchant',
    gatewayId: '100001',
    marketTypes: ['eCommerce'],
    productCodes: ['CNP'],
    paymentMethods: ['AmericanExpress', 'DinersClub', 'Discover', 'JCB', 'MasterCard', 'Visa'],
    currencies: ['USD'],
    publicClientKey: gateway.credentials.clientKey,
    merchantTimeZone: 'UTC',
    messages: ok(),
  }
}

/**
 * Answers the body of one POST to `request.api`. What it changed is committed before this returns, except where
 * the connection is to fail as if nothing had been processed.
 */
export function dispatch(gateway: Gateway, raw: string): Reply {
  let refId = ''
  try {
    const { name, request } = parse(raw)
    refId = textAt(request, 'refId')
    authenticate(gateway, name, request)
    settleDue(gateway)
    const fault = atomically(gateway, () => takeFault(gateway, name))
    if (fault?.kind === 'refusal') throw new ApiError(fault.code, 'The sandbox was asked to refuse this.')
    const reply = process(gateway, name, { request, refId, fault })
    return { ...reply, body: withReference(reply.body, refId) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { body: withReference(refusal(error), refId) }
  }
}

const refusal = (error: ApiError): Record<string, unknown> => ({
  ...error.elements,
  messages: messages(error.code, error.message),
})

const withReference = (body: Record<string, unknown>, refId: string): Record<string, unknown> =>
  refId ? { ...body, refId } : body

function parse(raw: string): { name: CallName; request: unknown } {
  let document: unknown
  try {
    document = JSON.parse(raw)
  } catch {
    throw new ApiError('E00003', 'The request is no JSON.')
  }
  const roots =
    typeof document === 'object' && document !== null && !Array.isArray(document)
      ? Object.entries(document)
      : []
  const root = roots[0]
  if (!root || roots.length !== 1) throw new ApiError('E00003', 'The request has to have one root element.')
  const [name, request] = root as [string, unknown]
  if (!isCallName(name))
    throw new ApiError('E00004', `The method '${name}' is unknown, or not built in this sandbox.`)
  const complaint = complaintAbout(name, request, requests[name])
  if (complaint !== null) throw new ApiError('E00003', complaint)
  return { name, request }
}

/** The browser proves itself with the public client key and may only make tokens. */
function authenticate(gateway: Gateway, name: CallName, request: unknown): void {
  const { apiLoginID, transactionKey, clientKey } = gateway.credentials
  const secret = name === 'securePaymentContainerRequest' ? clientKey : transactionKey
  const shown = textAt(
    request,
    'merchantAuthentication',
    name === 'securePaymentContainerRequest' ? 'clientKey' : 'transactionKey',
  )
  if (textAt(request, 'merchantAuthentication', 'name') !== apiLoginID || shown !== secret) {
    throw new ApiError('E00007', 'The credentials are wrong.')
  }
}

class Undone extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('the connection fails before the call is processed')
    this.reply = reply
  }
}

function process(gateway: Gateway, name: CallName, call: Call): Reply {
  try {
    return atomically(gateway, () => {
      const reply = withFault(handlers[name](gateway, call), call)
      if (reply.connection?.processed === false) throw new Undone(reply)
      return reply
    })
  } catch (error) {
    if (error instanceof Undone) return error.reply
    if (error instanceof ApiError) return withFault({ body: refusal(error) }, call)
    throw error
  }
}

function withFault(reply: Reply, { fault }: Call): Reply {
  if (fault?.kind === 'connection') return { ...reply, connection: fault }
  return fault?.kind === 'delay' ? { ...reply, delayMilliseconds: fault.milliseconds } : reply
}
