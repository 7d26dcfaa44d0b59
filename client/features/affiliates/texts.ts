/** Titles, buttons, and labels of the pages on referrals; their long texts stand in the pages. */
export const affiliatesTexts = {
  title: 'Affiliates',
  lead: 'Refer people and earn on what they spend and what they make.',
  start: 'Get Started',
} as const

/** How referrals work. */
export const howToTexts = {
  title: 'How referrals work',
  lead: 'One link that’s yours for good. Share it and earn from everyone who signs up through it.',
} as const

/** The person’s own link, and what a visitor reads in its place. */
export const ownLinkTexts = {
  label: 'Your referral link',
  about: 'This is your link. It works anywhere you share it.',
  signUp: 'Sign Up',
  haveAccount: 'Already have an account?',
  logIn: 'Log in',
} as const

/** How the commission changes over the years. */
export const rateTexts = {
  first: (percent: number) => `${percent}% in the first year`,
  base: (percent: number) => `${percent}%, for good`,
  year: (year: number) => (year === 1 ? '1 year' : String(year)),
  caption: 'Your rate by how long ago the person signed up',
  signedUp: 'Signed up',
  rate: 'Rate',
  ofHundred: 'Of $100',
  ago: (years: number) => (years === 0 ? 'Today' : `${years} ${years === 1 ? 'year' : 'years'} ago`),
} as const

/** Tips for the operator. */
export const donateTexts = {
  title: 'Thank you',
  lead: (brand: string) => `Your support for ${brand} means a lot.`,
  give: 'Send a tip',
  failed: 'We couldn’t check whether tips are open',
  signUp: 'Sign up to send a tip',
  haveAccount: 'Already have an account?',
  logIn: 'Log in',
  contact: 'Contact us',
  referrals: 'How referrals work',
} as const

/** The offer of ad credits. */
export const adCreditsTexts = {
  title: 'Free ad credits',
  lead: (brand: string) => `Support ${brand} now and get it back many times over when ads launch.`,
  amount: '$50',
  per: 'of ad credits for every $1 you send',
  donate: 'Go to donate',
  ask: 'Ask a question',
} as const
