/** In place of what only people with a confirmed account see. */
export const membersTexts = {
  confirm: (what: string) => `Verify your email to see ${what}`,
  resend: 'Resend verification email',
  sent: (email: string) => `We sent a link to ${email}. Open it to see everything here.`,
  logInTo: (what: string) => `Log in or Sign Up to see ${what}`,
  logIn: 'Log in',
  signUp: 'Sign Up',
} as const
