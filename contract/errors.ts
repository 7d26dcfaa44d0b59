import { MAX_SHARED_CODE_PARTICIPANTS, MAX_SHARED_CODES } from './constants.ts'
import { callErrors } from './errors/calls.ts'
import { commerceErrors } from './errors/commerce.ts'
import { identityErrors } from './errors/identity.ts'
import { mediaErrors } from './errors/media.ts'
import { messagingErrors } from './errors/messaging.ts'
import { promotionErrors } from './errors/promotion.ts'
import { UNSUBSCRIBE_INVALID } from './unsubscribe-links.ts'

const notificationErrors = {
  push_unavailable: { status: 409, text: 'This browser’s notifications aren’t supported here.' },
  quiet_hours_changed: {
    status: 409,
    text: 'Quiet hours were changed in another tab or on another device. Review them and try again.',
  },
  unsubscribe_invalid: { status: 404, text: UNSUBSCRIBE_INVALID },
} as const

const profilesErrors = {
  user_not_found: { status: 404, text: 'We couldn’t find this person.' },
  profile_taken: {
    status: 409,
    text: 'Something went wrong. Username and email must be unique across the entire site.',
  },
  block_yourself: { status: 409, text: 'You can’t block yourself.' },
  follow_yourself: { status: 409, text: 'You can’t follow yourself.' },
  shared_code_not_found: { status: 404, text: 'We couldn’t find this code.' },
  shared_code_not_yours: {
    status: 403,
    text: 'Only the person who manages this code can change it. You can leave it.',
  },
  shared_code_full: { status: 409, text: `Up to ${MAX_SHARED_CODE_PARTICIPANTS} people can share a code.` },
  shared_code_changed: {
    status: 409,
    text: 'Someone else just changed this code. Close this and try again.',
  },
  too_many_invitations: {
    status: 409,
    text: 'Someone you chose has too many open invitations. They have to answer some first.',
  },
  shared_code_empty: {
    status: 409,
    text: 'You’re the only one who takes part in this code, so you can’t leave it.',
  },
  too_many_shared_codes: { status: 409, text: `You can take part in up to ${MAX_SHARED_CODES} codes.` },
  follow_blocked: { status: 409, text: 'You blocked this person. Unblock them before you follow them.' },
} as const

const complianceErrors = {
  exports_full: {
    status: 503,
    text: 'We can’t prepare your data right now. Please try again tomorrow.',
  },
  region_restricted: {
    status: 451,
    text: 'This content isn’t available in your region until your age is verified.',
  },
  age_result_invalid: {
    status: 400,
    text: 'We couldn’t read the result of your age check. It may have expired. Please start the check again.',
  },
  age_check_unavailable: {
    status: 409,
    text: 'Age checks aren’t available right now. Contact us to be approved manually.',
  },
  region_not_found: { status: 404, text: 'This region isn’t restricted.' },
} as const

/**
 * Every error a call can answer, by domain: its HTTP status and the sentence for people (docs/product.md has
 * those that must stay to the letter). The code is stable and is what programs and tests match. `field`: what of the input it is about, which is
 * then told in `details` as well.
 */
export const errors = {
  ...callErrors,
  ...identityErrors,
  ...notificationErrors,
  ...profilesErrors,
  ...mediaErrors,
  ...commerceErrors,
  ...messagingErrors,
  ...promotionErrors,
  ...complianceErrors,
} as const satisfies Record<string, { status: number; text: string; field?: string }>

export type ErrorCode = keyof typeof errors

/** The body of every error answer (docs/product.md, Calls); `details` maps a field to its own sentence. */
export type ErrorBody = { error: string; code: ErrorCode; details?: Record<string, string> }
