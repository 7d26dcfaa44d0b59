/** Asking for a link to reset the password. */
export const resetTexts = {
  title: 'Reset your password',
  lead: 'Enter your email and we’ll send you a link to choose a new password.',
  email: 'Email',
  submit: 'Reset',
  remember: 'Remember your password?',
  logIn: 'Log in',
  sentTitle: 'Check your inbox',
  sent: 'You should receive an email. Click the link inside to reset your password.',
  sentHint: 'The link works for one hour. Don’t see it? Check your spam folder, or',
  otherAddress: 'try another email address',
  back: 'Back to log in',
  failed: (why: string) => `There was a problem logging in. ${why}`,
} as const

/** Where that link leads. */
export const newPasswordTexts = {
  title: 'Choose a new password',
  checking: 'Checking your link…',
  notChecked: 'We couldn’t check the link',
  lead: 'You’ll be logged out everywhere else.',
  password: 'New Password',
  hint: 'At least 8 characters, and not a common password.',
  submit: 'Update Password!',
  failed: (why: string) => `There was a problem. ${why}`,
  done: 'Successfully updated password. Please try logging in.',
  doneHint: 'You’ve been logged out everywhere.',
  logIn: 'Log in',
  invalidTitle: 'This link doesn’t work',
  /** Fixed wording, up to the full stop after `byEmail`. */
  invalid:
    'There was an error resetting the password. Please try again or contact the official account on the forum service, or',
  byEmail: 'report the issue by email',
  invalidHint: 'A link works once and expires in one hour.',
  official: 'The official account is',
  newLink: 'Get a new link',
} as const
