const callErrors = {
  invalid_input: { status: 400, text: 'Something in the form is not right. Please check the marked fields.' },
  malformed_body: { status: 400, text: 'The request could not be read.' },
  skip_too_deep: { status: 400, text: 'skip goes up to 10,000; use cursor to go further.' },
  bad_cursor: { status: 400, text: 'The cursor is not one of ours. Start again from the first page.' },
  not_authenticated: { status: 401, text: 'Please log in.' },
  sandbox_token_missing: {
    status: 401,
    text: 'The sandbox asks for its token. See SANDBOX_TOKEN in docs/operating.md.',
  },
  forbidden: { status: 403, text: 'You can’t do that.' },
  other_origin: { status: 403, text: 'This was sent by a page of another site, so nothing was done.' },
  not_yourself: { status: 403, text: 'That belongs to someone else.' },
  seller_blocked: { status: 409, text: 'You blocked this creator. Unblock them to buy from them.' },
  creators_only: { status: 403, text: 'Only creators can do that.' },
  permission_required: { status: 403, text: 'Your account isn’t allowed to do that.' },
  not_owner: { status: 403, text: 'you do not have access to this page' },
  reason_required: { status: 400, text: 'Say why, in a few words.', field: 'reason' },
  link_expired: { status: 403, text: 'This link has expired.' },
  not_found: { status: 404, text: 'There is nothing here.' },
  request_in_flight: { status: 409, text: 'This is already being done. Please wait a moment.' },
  body_too_large: { status: 413, text: 'The request is too large.' },
  unsupported_media_type: { status: 415, text: 'The request has a content type that is not supported here.' },
  idempotency_key_reused: { status: 422, text: 'This request was already sent with other content.' },
  headers_too_large: { status: 431, text: 'The request is too large.' },
  rate_limited: { status: 429, text: 'Too many attempts. Please wait a little and try again.' },
  internal: { status: 500, text: 'Something went wrong on our side. Nothing was lost; please try again.' },
  not_ready: { status: 503, text: 'The service is starting. Please try again in a moment.' },
} as const

const identityErrors = {
  password_too_short: { status: 400, text: 'Password must be 8 or more characters' },
  account_suspended: {
    status: 403,
    text: 'Your account is suspended. Contact us if you think that is a mistake.',
  },
  suspend_yourself: { status: 409, text: 'You can’t suspend your own account.' },
  already_suspended: { status: 409, text: 'This account is already suspended.' },
  not_suspended: { status: 409, text: 'This account isn’t suspended.' },
  login_failed: { status: 401, text: 'There was a problem logging in.' },
  email_unverified: { status: 403, text: 'Please confirm your e-mail address first.' },
  signup_taken: { status: 409, text: 'Something went wrong. The email or username may already exist.' },
  last_superadmin: {
    status: 409,
    text: 'This is the last account that can hand out roles. Make somebody else a superadmin first.',
  },
  confirmation_invalid: {
    status: 400,
    text: 'There was an error sorry. The link may be old; ask for a new one, or contact the team.',
  },
  reset_invalid: {
    status: 400,
    text: 'There was an error resetting the password. Please try again or contact the official account on the forum service, or report the issue by email.',
  },
  password_too_common: {
    status: 400,
    text: 'Too many people use this password. Choose one that is harder to guess.',
    field: 'password',
  },
  password_like_account: {
    status: 400,
    text: 'Choose a password that isn’t your name, your email or the name of this site.',
    field: 'password',
  },
  password_wrong: { status: 403, text: 'This is not your password.' },
  second_factor_wrong: { status: 403, text: 'This code is not right. Try the newest one.' },
  passkey_refused: { status: 403, text: 'This passkey was not accepted. Try again, or use another way.' },
  challenge_expired: { status: 403, text: 'This took too long. Please start again.' },
  reauthentication_required: { status: 403, text: 'Please confirm that it’s you first.' },
  second_factor_required: { status: 403, text: 'Set up two-factor authentication first. Operators need it.' },
  second_factor_missing: { status: 409, text: 'Set up an authenticator app or a passkey first.' },
  totp_exists: { status: 409, text: 'An authenticator app is already set up. Remove it first.' },
  passkey_exists: { status: 409, text: 'This passkey is already set up.' },
  too_many_passkeys: { status: 409, text: 'You’ve reached the limit of 20 passkeys. Remove one first.' },
} as const

const profilesErrors = {
  user_not_found: { status: 404, text: 'This person could not be found.' },
  profile_taken: {
    status: 409,
    text: 'Something went wrong. Username and email must be unique across the entire site.',
  },
  block_yourself: { status: 409, text: 'You can’t block yourself.' },
  follow_yourself: { status: 409, text: 'You can’t follow yourself.' },
  follow_blocked: { status: 409, text: 'You blocked this person. Unblock them before you follow them.' },
} as const

const mediaErrors = {
  media_not_found: { status: 404, text: 'This media could not be found.' },
  tag_not_found: { status: 404, text: 'This tag could not be found.', field: 'tagIds' },
  performer_not_found: {
    status: 404,
    text: 'This person could not be found among your own.',
    field: 'performerIds',
  },
  upload_not_found: { status: 404, text: 'This upload could not be found. Please start it again.' },
  already_unlocked: { status: 409, text: 'Error. User probably has this media already.' },
  too_many_tags: { status: 409, text: 'An item can have up to 20 tags.', field: 'tagIds' },
  chunks_mismatch: {
    status: 409,
    text: 'These chunks belong to another file. Please start the upload again.',
  },
  upload_already_used: { status: 409, text: 'This upload already arrived.' },
  too_many_uploads: {
    status: 409,
    text: 'You have too many unfinished uploads. Finish or cancel some first.',
  },
  unfinished_too_large: {
    status: 409,
    text: 'Your unfinished uploads take up all the room there is for them. Finish or cancel some first.',
  },
  library_full: {
    status: 409,
    text: 'Your library is full. Delete media that you no longer need, then upload again.',
  },
  kept_files_full: {
    status: 409,
    text: 'Your deleted and replaced files still take up all the room there is for them. Deleted files go after 30 days; please upload again then.',
  },
  upload_offset_wrong: {
    status: 409,
    text: 'The upload did not stop there. Ask how much arrived, and go on after that.',
  },
  upload_size_differs: {
    status: 409,
    text: 'This file isn’t the size of the one you started with. Please start again.',
  },
  upload_in_pieces: { status: 409, text: 'This upload was interrupted too often. Please start it again.' },
  upload_too_large: { status: 413, text: 'This file is too large.' },
  red_gif_unreadable: {
    status: 400,
    text: 'This is no RedGifs link or id. Paste the address of the gif’s page.',
    field: 'redGif',
  },
  not_a_video: { status: 400, text: 'Only a video has a poster that can be chosen.' },
  poster_not_taken: {
    status: 409,
    text: 'No poster could be taken at this moment of the video, so the old one stays. Try another moment.',
  },
  content_range_invalid: {
    status: 400,
    text: 'Content-Range must be “bytes 0-99/100” with so many bytes, or “bytes */100” with none.',
  },
  chunk_size_wrong: { status: 400, text: 'Every chunk but the last has 1 MiB.' },
  media_empty: { status: 400, text: 'This file is empty.' },
  media_type_unsupported: {
    status: 400,
    text: 'This is not a picture or video we can take. Use PNG, JPG, WebP, HEIC, AVIF, GIF, TIFF, BMP, MP4 or MOV.',
  },
  media_unreadable: { status: 400, text: 'This file is damaged and can’t be opened.' },
  media_too_many_pixels: { status: 400, text: 'This picture is larger than 50 megapixels.' },
  media_too_large: { status: 413, text: 'This file is too large.' },
  media_too_long_to_process: {
    status: 400,
    text: 'This file took too long to prepare. Try a shorter or smaller version.',
  },
  media_no_picture: {
    status: 400,
    text: 'This file has no picture in it, or one that is too small to show.',
  },
} as const

const commerceErrors = {
  card_declined: {
    status: 402,
    text: 'Your card was declined. You have not been charged. Try another card.',
  },
  card_token_expired: {
    status: 402,
    text: 'Your card details have expired. You have not been charged. Please enter them again.',
  },
  payment_refused: {
    status: 402,
    text: 'The payment was refused. You have not been charged. Please check the card details.',
  },
  gateway_unreachable: {
    status: 402,
    text: 'The payment service can’t be reached. You have not been charged. Please try again in a few minutes.',
  },
  payment_interrupted: {
    status: 402,
    text: 'The payment was interrupted. You have not been charged. Please try again.',
  },
  publishing_closed: { status: 403, text: 'Publishing opens when identity checks and review are set up.' },
  item_not_found: { status: 404, text: 'This item is not for sale.' },
  already_owned: { status: 409, text: 'You already have this.' },
  already_subscribed: { status: 409, text: 'Already Subscribed!' },
  purchase_in_progress: {
    status: 409,
    text: 'A payment for this is still being checked. You will not be charged twice.',
  },
  price_changed: { status: 409, text: 'The price has changed. Please look at it again before you buy.' },
  contents_changed: {
    status: 409,
    text: 'What’s in this has changed. Please look at it again before you buy.',
  },
  no_longer_available: {
    status: 409,
    text: 'This is no longer available, so the charge was taken back.',
  },
  own_item: { status: 409, text: 'This is your own; there is no need to buy it.' },
  must_include_title: { status: 400, text: 'Must include title', field: 'title' },
  must_include_price: { status: 400, text: 'Must include price', field: 'price' },
} as const

const complianceErrors = {
  exports_full: {
    status: 503,
    text: 'Too many exports are being kept right now, so yours can’t be made. Please try again tomorrow.',
  },
  region_restricted: {
    status: 451,
    text: 'This content is not available in your region until your age has been verified.',
  },
  age_result_invalid: {
    status: 400,
    text: 'This result of an age check can’t be read. It may be old; start the check again.',
  },
  age_check_unavailable: {
    status: 409,
    text: 'No age check is set up at the moment. Write to us, and we look at it by hand.',
  },
  region_not_found: { status: 404, text: 'This region is not restricted.' },
} as const

/**
 * Every error a call can answer, by domain: its HTTP status and the sentence for people (the specification's where it
 * gives one). The code is stable and is what programs and tests match. `field`: what of the input it is about, which is
 * then told in `details` as well.
 */
export const errors = {
  ...callErrors,
  ...identityErrors,
  ...profilesErrors,
  ...mediaErrors,
  ...commerceErrors,
  ...complianceErrors,
} as const satisfies Record<string, { status: number; text: string; field?: string }>

export type ErrorCode = keyof typeof errors

/** The body of every error answer (docs/product.md, Calls); `details` maps a field to its own sentence. */
export type ErrorBody = { error: string; code: ErrorCode; details?: Record<string, string> }
