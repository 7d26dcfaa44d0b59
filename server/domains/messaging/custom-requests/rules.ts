import { MAX_CUSTOM_PRICE_CENTS, MAX_OPEN_CUSTOM_REQUESTS } from '../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import type { CUSTOM_REQUEST_STATES } from '../../../../contract/routes/messaging/custom-requests.ts'

type RequestState = (typeof CUSTOM_REQUEST_STATES)[number]

/** A custom request with what its order says; `paid` is null while nothing was. */
export type RequestFacts = {
  status: 'requested' | 'accepted' | 'declined'
  delivered: boolean
  /** Whether it can only be given back. */
  overdue: boolean
  /** Whether that is because one of the two leaves. */
  leaving: boolean
  paid: { refunded: boolean; disputed: boolean } | null
}

/** Where a request stands: what its order says comes before what its two people said. */
export function stateOf({ status, delivered, overdue, leaving, paid }: RequestFacts): RequestState {
  if (!paid) return status
  if (paid.refunded) return 'refunded'
  if (paid.disputed) return 'disputed'
  if (delivered) return 'delivered'
  if (!overdue) return 'paid'
  return leaving ? 'leaving' : 'overdue'
}

export type RequestAction = 'accept' | 'decline' | 'delete' | 'deliver'

/** What each action is done to, by whom. The fan pays by a purchase, and jobs give back. */
const MAY: Record<RequestAction, { by: 'fan' | 'creator'; from: RequestState[] }> = {
  accept: { by: 'creator', from: ['requested', 'accepted'] },
  decline: { by: 'creator', from: ['requested', 'accepted'] },
  delete: { by: 'fan', from: ['requested', 'accepted', 'declined'] },
  deliver: { by: 'creator', from: ['paid'] },
}

/** Why this person can't do that to a request now; null when they can. Nobody else knows that it is there. */
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
    if (state === 'paid' && underWay.refund) return 'refund_in_progress'
  } else if (state === 'paid' || state === 'delivered') return 'custom_request_paid'
  if (!from.includes(state)) return 'custom_request_closed'
  return underWay.payment ? 'custom_request_being_paid' : null
}

/** Why a request can't be made: for more than any may cost, or beside so many others; null when it can. */
export function newRequestRefusal(
  { maxMinutes, minutePriceCents }: { maxMinutes: number; minutePriceCents: number },
  { isCreator, open }: { isCreator: boolean; open: number },
): ErrorCode | null {
  if (!isCreator) return 'not_a_creator'
  if (maxMinutes * minutePriceCents > MAX_CUSTOM_PRICE_CENTS) return 'custom_total'
  return open >= MAX_OPEN_CUSTOM_REQUESTS ? 'custom_requests_full' : null
}

/** Why it can't be accepted at this price; null when it can. */
export function acceptedPriceRefusal(priceCents: number): ErrorCode | null {
  return priceCents > MAX_CUSTOM_PRICE_CENTS ? 'custom_price' : null
}

const DAY_MS = 24 * 3600 * 1000

/** Until when a request is to be delivered whose days count from then. */
export function deliverBy(countsFrom: Date, deliveryDays: number): Date {
  return new Date(countsFrom.getTime() + deliveryDays * DAY_MS)
}
