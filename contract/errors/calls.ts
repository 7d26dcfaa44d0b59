/** Refusals that any call may answer. */
export const callErrors = {
  invalid_input: { status: 400, text: 'Please check the highlighted fields and try again.' },
  malformed_body: { status: 400, text: 'We couldn’t read that request. Please try again.' },
  skip_too_deep: { status: 400, text: 'skip can be at most 10,000. Use cursor to go further.' },
  bad_cursor: { status: 400, text: 'This cursor is invalid. Start again from the first page.' },
  not_authenticated: { status: 401, text: 'Please log in.' },
  sandbox_token_missing: {
    status: 401,
    text: 'The sandbox requires its token. See SANDBOX_TOKEN in docs/operating.md.',
  },
  forbidden: { status: 403, text: 'You can’t do that.' },
  other_origin: { status: 403, text: 'This request came from another site, so we ignored it.' },
  not_yourself: { status: 403, text: 'That belongs to someone else.' },
  seller_blocked: { status: 409, text: 'You blocked this creator. Unblock them to buy from them.' },
  creators_only: { status: 403, text: 'Only creators can do that.' },
  permission_required: { status: 403, text: 'Your account isn’t allowed to do that.' },
  not_owner: { status: 403, text: 'you do not have access to this page' },
  reason_required: { status: 400, text: 'Enter a reason of at least 3 characters.', field: 'reason' },
  link_expired: { status: 403, text: 'This link has expired.' },
  not_found: { status: 404, text: 'We couldn’t find that.' },
  request_in_flight: { status: 409, text: 'We’re already working on this. Please wait a moment.' },
  body_too_large: { status: 413, text: 'This request is too large.' },
  unsupported_media_type: { status: 415, text: 'This content type isn’t supported.' },
  idempotency_key_reused: { status: 422, text: 'This request was already sent with different content.' },
  headers_too_large: { status: 431, text: 'This request is too large.' },
  rate_limited: { status: 429, text: 'Too many attempts. Please wait a moment and try again.' },
  internal: { status: 500, text: 'Something went wrong on our end. Please try again.' },
  not_ready: { status: 503, text: 'We’re starting up. Please try again in a moment.' },
} as const

/** What `rate_limited` says where the wait is longer than a minute. */
export function longWaitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
  return `Too many attempts. Please try again in ${wait}.`
}
