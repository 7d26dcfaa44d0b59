/** What the page of a confirmation link says. */
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
  team: (email: string | undefined) =>
    `If a new link doesn’t help, contact the team${email ? ` at ${email}` : ''}.`,
} as const
