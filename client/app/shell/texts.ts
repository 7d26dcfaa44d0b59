/** The top bar and the menu on a phone. */
export const navigationTexts = {
  main: 'Main',
  menu: 'Menu',
  closeMenu: 'Close menu',
  skip: 'Skip to content',
  browse: 'Browse All Content',
  yourContent: 'Your Content',
  search: 'Search',
  logIn: 'Log in',
  signUp: 'Sign Up',
  logOut: 'Log Out',
  dashboard: 'Dashboard',
  messages: 'Messages',
  logOutFailed: (why: string) => `You’re still logged in. ${why}`,
} as const

/** The end of every page. */
export const footerTexts = {
  label: 'Policies and contact',
  affiliates: 'Affiliates',
  removal: 'Content Removal',
  complaints: 'Complaints',
  recordKeeping: '2257',
  privacy: 'Privacy Policy',
  refunds: 'Refund Policy',
  cancellation: 'Cancellation Policy',
  termsAndConditions: 'Terms and Conditions',
  antiTrafficking: 'Anti-Trafficking',
  moderation: 'Content Moderation',
  terms: 'Terms',
  contact: 'Contact',
  adults: 'For adults only. Everyone shown is 18 or older.',
} as const

/** Notices above every page. */
export const noticeTexts = {
  unreachable: 'We can’t reach the service right now.',
  tryAgain: 'Try again',
  sandbox: 'Sandbox',
  sandboxName: 'Sandbox.',
  sandboxAbout: 'No real cards, no real email.',
  mailbox: 'Mailbox',
  cards: 'Test cards',
  ageCheck: 'Age check',
  forum: 'Forum',
} as const

/** A page that broke, and a newer version. */
export const brokenTexts = {
  title: 'We couldn’t open this page',
  what: 'Something went wrong',
  hint: 'Your connection may have dropped, or a new version may be available.',
  reload: 'Reload the page',
  newVersion: 'A new version is ready.',
  reloadShort: 'Reload',
} as const
