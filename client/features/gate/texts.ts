/** The page that visitors in restricted regions see. */
export const restrictedTexts = {
  title: (region: string | null) => `Restricted in your region${region ? ` (${region})` : ''}`,
  /** The same page for somebody from whom nothing is withheld. */
  openTitle: 'Restricted regions',
  open: (region: string | null) =>
    `You don’t need an age check in your region${region ? ` (${region})` : ''}.`,
  about: (vpn: boolean) =>
    `Visitors in states with age-verification laws can still sign up, but content stays hidden until they are verified${vpn ? ', or they can use a VPN' : ''}.`,
  geolocation: 'IP geolocation by DB-IP',
  elsewhere: 'Already a creator on another platform?',
  proven: 'If you have a creator account on another platform, you’ve already proven your age there. Message',
  orEmail: 'or email',
  approve: 'and we’ll approve you manually.',
  stand: 'Where we stand',
  laws: 'No child should see what’s shown here, and we do our part to prevent it. But we believe these laws are the wrong approach. They make adults hand their documents to strangers to look at something legal. They create databases of who looks at what. And they push people to sites that check nothing at all: neither the age of their viewers nor the consent of the people shown.',
  betterWay: (brand: string) =>
    `There’s a better way: parental controls and an age signal on the device itself, where it stays private and works on every site at once. Until then, ${brand} follows your state’s law and asks you to tell the people who can change it what you think.`,
  call: 'Call your senators',
  loggedIn: 'You’re logged in as',
  unverified: 'Your age isn’t verified yet.',
  stillOpen: 'You can still open your',
  billing: 'billing',
  and: 'and your',
  privacy: 'privacy page',
  questions: 'Questions? Use our',
  contact: 'contact form',
  signUp: 'Sign Up',
  logIn: 'Log in',
} as const

/** Its list of senators. */
export const senatorsTexts = {
  loadFailed: 'We couldn’t load the list',
  own: 'Your state',
  find: 'Find a state',
  none: (typed: string) => `No results for “${typed}”.`,
  checked: (day: string) => `Every name and number was checked on or after ${day}.`,
  shared: 'One number reaches every senator’s office. Ask for the senator by name.',
  call: (phone: string) => `Call ${phone}`,
  theSwitchboard: 'The Capitol switchboard,',
  switchboard: 'can connect you to any senator’s office. Ask for the senator by name.',
  callLabel: (name: string, state: string, phone: string) => `Call ${name}, senator from ${state}, ${phone}`,
} as const

/** The way to an age check and back. */
export const ageCheckTexts = {
  title: 'Age check',
  verify: 'Verify your age',
  refusedTitle: 'We couldn’t verify your age',
  tryAgain: 'Try again',
  refused:
    'The provider didn’t confirm that you’re 18 or older. If that’s a mistake, try another method there, or write to',
  unfinishedTitle: 'The check wasn’t finished',
  startOver: 'Start over',
  unfinished: 'It timed out before there was a result. Nothing was saved.',
  unusableTitle: 'We can’t use this result',
  noResultTitle: 'No result yet',
  check: 'Check again',
  noResult: 'The provider tells us directly, usually within a few seconds. If it takes longer, write to',
  verifiedTitle: 'Your age is verified',
  continue: 'Continue to your page',
  browse: 'Browse All Content',
  /** The visitor's own yes, where no check is asked for. */
  confirmedTitle: 'You’ve confirmed that you’re 18 or older',
  confirmed: 'Your location doesn’t require an age check, so you can see everything.',
  approved: (brand: string) => `${brand} approved your age. You can see everything.`,
  verified: (until: string | null) =>
    `You can see everything${until ? ` until ${until}` : ''}. We only store who checked, how, the result, and when it expires. We never received any document or photo of you.`,
} as const
