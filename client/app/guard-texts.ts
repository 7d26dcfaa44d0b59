/** In place of a page that isn’t for the person. */
export const guardTexts = {
  noAccess: 'You do not have access to this page',
  mistake: 'If you think that’s a mistake,',
  contact: 'contact us',
  dashboard: 'Go to your dashboard',
  logInFirst: (title: string) => `${title}: log in to open this page.`,
  logIn: 'Log in',
} as const
