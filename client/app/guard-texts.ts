/** In place of a page that isn’t for the person. */
export const guardTexts = {
  noAccess: 'No access',
  noAccessTitle: 'you do not have access to this page',
  noAccessHint: 'Your account can’t open this page. If you think that’s a mistake, contact us.',
  dashboard: 'Go to your dashboard',
  logInFirst: (title: string) => `${title}: log in to open this page.`,
  logIn: 'Log in',
} as const
