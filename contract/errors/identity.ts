/** Refusals of accounts, logins and sessions. */
export const identityErrors = {
  password_too_short: { status: 400, text: 'Password must be 8 or more characters' },
  account_suspended: {
    status: 403,
    text: 'Your account is suspended. Contact us if you think this is a mistake.',
  },
  suspend_yourself: { status: 409, text: 'You can’t suspend your own account.' },
  already_suspended: { status: 409, text: 'This account is already suspended.' },
  not_suspended: { status: 409, text: 'This account isn’t suspended.' },
  login_failed: { status: 401, text: 'There was a problem logging in.' },
  sample_account_elsewhere: {
    status: 403,
    text: 'You can only log in to sample accounts on the computer that runs this server, unless SANDBOX_TOKEN is set.',
  },
  email_unverified: { status: 403, text: 'Please verify your email address first.' },
  signup_taken: { status: 409, text: 'Something went wrong. The email or username may already exist.' },
  last_superadmin: {
    status: 409,
    text: 'This is the only account that can assign roles. Make someone else a superadmin first.',
  },
  confirmation_invalid: {
    status: 400,
    text: 'There was an error sorry. The link may have expired. Request a new one, or contact the team.',
  },
  no_email_change: { status: 409, text: 'This email change is no longer pending.' },
  reset_invalid: {
    status: 400,
    text: 'There was an error resetting the password. Please try again or contact the official account on the forum service, or report the issue by email.',
  },
  password_too_common: {
    status: 400,
    text: 'This password is too common. Choose one that’s harder to guess.',
    field: 'password',
  },
  password_like_account: {
    status: 400,
    text: 'Choose a password that isn’t your name, your email, or the name of this site.',
    field: 'password',
  },
  password_unchanged: {
    status: 400,
    text: 'This is your current password. Choose a different one.',
    field: 'password',
  },
  password_wrong: { status: 403, text: 'Incorrect password.' },
  second_factor_wrong: { status: 403, text: 'Incorrect code. Try the newest one.' },
  passkey_refused: { status: 403, text: 'We couldn’t verify this passkey. Try again or use another method.' },
  challenge_expired: { status: 403, text: 'This took too long. Please start over.' },
  reauthentication_required: { status: 403, text: 'Please confirm it’s you first.' },
  second_factor_required: {
    status: 403,
    text: 'Set up two-factor authentication first. Your role requires it.',
  },
  second_factor_missing: { status: 409, text: 'Set up an authenticator app or a passkey first.' },
  totp_exists: { status: 409, text: 'An authenticator app is already set up. Remove it first.' },
  passkey_exists: { status: 409, text: 'This passkey is already set up.' },
  too_many_passkeys: { status: 409, text: 'You’ve reached the limit of 20 passkeys. Remove one first.' },
} as const
