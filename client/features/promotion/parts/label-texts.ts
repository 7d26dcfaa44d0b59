import type {
  CONFIRMATIONS,
  VERIFICATION_STATUSES,
  VERIFICATION_TYPES,
} from '../../../../contract/promotion.ts'

/** Subreddits' requirements of creators before they post. */
export const verificationLabel: Record<(typeof VERIFICATION_TYPES)[number], string> = {
  required: 'Required',
  other: 'Other',
  unset: 'Not set',
  unknown: 'Unknown',
}

/** How far somebody is with a verification. */
export const statusLabel: Record<(typeof VERIFICATION_STATUSES)[number], string> = {
  todo: 'To do',
  pending: 'Pending',
  done: 'Done',
}

/** The moderators' answer to it. */
export const confirmationLabel: Record<(typeof CONFIRMATIONS)[number], string> = {
  true: 'Yes',
  pending: 'Pending',
  false: 'No',
  hidden: 'Hidden',
}
