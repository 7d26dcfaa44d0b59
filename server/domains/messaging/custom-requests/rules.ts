import { MAX_CUSTOM_PRICE_CENTS, MAX_OPEN_CUSTOM_REQUESTS } from '../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import type { CUSTOM_REQUEST_STATES } from '../../../../contract/routes/messaging/custom-requests.ts'

type RequestState = (typeof CUSTOM_REQUEST_STATES)[number]

/** A custom request with the facts of its order; `paid` is null if it isn't paid, `refunding` while a refund of it is sent another way. */
export type RequestFacts = {
  status: 'requested' | 'accepted' | 'declined'
  delivered: boolean
  /** Whether it can only be refunded. */
  overdue: boolean
  /** Whether that is because one of the two is leaving. */
  leaving: boolean
  paid: { refunded: boolean; disputed: boolean; refunding: boolean } | null
}

/** A request's state: its order's facts take precedence over what the two people did. */
export function stateOf({ status, delivered, overdue, leaving, paid }: RequestFacts): RequestState {
  if (!paid) return status
  if (paid.refunded) return 'refunded'
  if (paid.disputed) return 'disputed'
  if (delivered) return 'delivered'
  if (!overdue) return 'paid'
  return leaving ? 'leaving' : 'overdue'
}

export type RequestAction = 'accept' | 'decline' | 'delete' | 'deliver'

/** Which state each action needs, and who may do it. The fan pays through a purchase; jobs refund. */
const MAY: Record<RequestAction, { by: 'fan' | 'creator'; from: RequestState[] }> = {
  accept: { by: 'creator', from: ['requested', 'accepted'] },
  decline: { by: 'creator', from: ['requested', 'accepted'] },
  delete: { by: 'fan', from: ['requested', 'accepted', 'declined'] },
  deliver: { by: 'creator', from: ['paid'] },
}

/** Why this person can't do that to a request now; null if they can. To anybody else the request doesn't exist. */
export function requestRefusal(
  action: RequestAction,
  request: (RequestFacts & { fanId: string; creatorId: string }) | null,
  personId: string,
  underWay: { payment: boolean; refund: boolean },
): ErrorCode | null {
  if (!request || (personId !== request.fanId && personId !== request.creatorId))
    return 'custom_request_not_found'
  const { by, from } = MAY[action]
  if (personId !== (by === 'fan' ? request.fanId : request.creatorId)) return 'not_yourself'
  const state = stateOf(request)
  if (action === 'deliver') {
    if (state === 'requested' || state === 'accepted') return 'custom_request_unpaid'
    if (state === 'delivered') return 'custom_request_delivered'
    if (state === 'paid' && request.paid?.refunding) return 'custom_request_refunding'
    if (state === 'paid' && underWay.refund) return 'refund_in_progress'
  } else if (state === 'paid' || state === 'delivered') return 'custom_request_paid'
  if (!from.includes(state)) return 'custom_request_closed'
  return underWay.payment ? 'custom_request_being_paid' : null
}

/** Why a request can't be created: its total is too high, or too many are open; null if it can. */
export function newRequestRefusal(
  { maxMinutes, minutePriceCents }: { maxMinutes: number; minutePriceCents: number },
  { isCreator, open }: { isCreator: boolean; open: number },
): ErrorCode | null {
  if (!isCreator) return 'not_a_creator'
  if (maxMinutes * minutePriceCents > MAX_CUSTOM_PRICE_CENTS) return 'custom_total'
  return open >= MAX_OPEN_CUSTOM_REQUESTS ? 'custom_requests_full' : null
}

/** Why it can't be accepted at this price; null if it can. */
export function acceptedPriceRefusal(priceCents: number): ErrorCode | null {
  return priceCents > MAX_CUSTOM_PRICE_CENTS ? 'custom_price' : null
}

const DAY_MS = 24 * 3600 * 1000

/** The delivery deadline of a request whose period starts then. */
export function deliverBy(countsFrom: Date, deliveryDays: number): Date {
  return new Date(countsFrom.getTime() + deliveryDays * DAY_MS)
}
