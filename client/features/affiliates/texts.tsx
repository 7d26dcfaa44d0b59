import type { ReactNode } from 'react'

/** Words of a sentence that lead somewhere, as the page draws them. */
type Link = (words: string) => ReactNode

/** Title, button, and lead of the page for affiliates, which is a document. */
export const affiliatesTexts = {
  title: 'Affiliates',
  lead: 'Refer people and earn on what they buy from creators and what they make.',
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
  everyone: (parameter: ReactNode) => (
    <>
      Everyone with an account has one: their profile’s URL with {parameter} and their own code at the end.
      Sign up to get yours.
    </>
  ),
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
  title: 'Support us',
  lead: (brand: string) => `Thank you for considering a tip to ${brand}.`,
  what: 'Your tip pays for servers, for the people who review content and answer complaints, and for what creators ask us to build next.',
  invite: (link: Link) => (
    <>
      Another way to help: invite someone with {link('your referral link')}. It’s free, and you earn from it.
    </>
  ),
  give: 'Send a tip',
  own: 'Tips go to the site you run, so you can’t send one from this account.',
  wish: (brand: string) => `Send a tip to ${brand}`,
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
  lead: (brand: string) => `Support ${brand} now and get ad credits for when ads launch.`,
  amount: '$50',
  per: 'of ad credits for every $1 you send',
  program:
    'We’re preparing an ad program that shows your profile to people looking for what you make. It hasn’t launched yet. You can use your credits from day one.',
  include: 'Include your forum username.',
  why: 'That’s how we know which account gets the credits. A tip from your account here includes the one you signed up with.',
  terms: (link: Link) => (
    <>
      $1 gets you $50 in credits, $10 gets you $500. Credits are for ads on this site. They can’t be paid out,
      sold, or transferred, and what you send isn’t refundable; see our {link('refund policy')}.
    </>
  ),
  how: 'Send it as a tip on the donate page. To credit another forum username, write to us.',
  donate: 'Go to the donate page',
  ask: 'Ask a question',
} as const
