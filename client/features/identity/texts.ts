/** In place of a page while an operator has no second factor. */
export const secondFactorNoticeTexts = {
  page: 'One more step',
  title: 'Set up two-factor authentication',
  about: 'Your role requires it. Setting up an authenticator app or a passkey takes two minutes.',
  setUp: 'Set it up',
} as const

/** Until the email is confirmed. */
export const unverifiedTexts = {
  title: 'Please verify your email',
  lead: 'One more step before you can use your account.',
  sent: 'We sent a link to',
  open: 'Open it to verify your email. This page updates automatically.',
  mailbox: 'Open the sandbox mailbox',
  resend: 'Resend verification email',
  resent: 'Email has been sent. Please check your email!',
  another: 'Use another email',
  email: 'Your email',
  sendThere: 'Send the link there',
  lost: 'Your other email isn’t saved yet.',
  message: 'You can also message our official account',
  onForum: (forum: string) => `on ${forum} to be verified manually.`,
  forum: 'the forum',
} as const

/** The page of a confirmation link. */
export const confirmationTexts = {
  title: 'Verify your email',
  checking: 'Verifying your email…',
  done: 'Your email is verified',
  doneHint: 'You’re all set.',
  dashboard: 'Go to your dashboard',
  logIn: 'Log in',
  notNow: 'We couldn’t verify your email',
  failed: 'There was an error sorry.',
  expired: 'The link may have expired or already been used.',
  newLink: 'Get a new link',
  team: 'If a new link doesn’t help, contact the team at',
} as const
