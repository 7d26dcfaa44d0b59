/** The login. */
export const loginTexts = {
  title: 'Log in',
  lead: 'Welcome back.',
  leadToPage: 'Log in to continue.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  withPasskey: 'Log in with a passkey',
  new: 'New here?',
  signUp: 'Sign up',
  forgot: 'Forgot your password?',
  reset: 'Reset Password.',
  factorTitle: 'Confirm it’s you',
  factorLead: (email: string) => `Logging in as ${email}.`,
  lostHint: 'Lost your device and recovery codes?',
  contact: 'Contact us',
  startOverHint: 'Timed out, or wrong account?',
  startOver: 'Start over',
  deletionUndone: 'Welcome back. You logged in, so your account won’t be deleted.',
} as const

/** The login over a page whose session ended elsewhere. */
export const sessionEndedTexts = {
  title: 'Log in again',
  about: (email: string) => `Your session ended. Log in as ${email} to keep what you typed.`,
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
} as const
