/** The privacy page. */
export const privacyTexts = {
  title: 'Privacy',
  lead: 'Who can find you, and what happens to your data.',
  whoFinds: 'Who can find you',
  findMe: 'Let everyone find me',
  findMeHint:
    'While this is off, only creators you follow, bought from, or wrote to can find you in search and see your profile.',
  found: 'Everyone can find you now.',
  hidden: 'Only your creators can find you now.',
  settingFailed: 'We couldn’t load this setting',
  regions: 'Hidden regions',
  regionsHint:
    'People in these regions can’t find your profile, your media, or what you sell. Buyers keep what they bought.',
  regionsFailed: 'We couldn’t load your hidden regions',
  regionsLost: 'Changes to your hidden regions aren’t saved.',
  saveRegions: 'Save regions',
  saved: 'Saved',
  countries: 'Countries',
  removeCountries: 'Remove all countries',
  states: 'US states',
  removeStates: 'Remove all states',
  noRegion: 'No results',
  selling: 'What you sell',
  watermark: 'Add the fan’s username as a watermark',
  watermarkHint:
    'Photos and videos that aren’t free show the viewer’s @username, small and faint in one corner, so you can tell where a copy came from. You see your own without it.',
  watermarkOn: 'Usernames are shown now.',
  watermarkOff: 'Usernames are no longer shown.',
  account: 'Your account',
}

/** The way from a fan to a creator. */
export const creatorTexts = {
  section: 'Sell on your profile',
  about: 'Creators publish photos and videos, and sell subscriptions, bundles, and single items.',
  button: 'Become a creator',
  title: 'Become a creator?',
  effect:
    'Everyone can find you then, and see your username, your first name, your picture, and your profile. You keep everything you bought. You can’t switch back.',
  done: 'You’re a creator now.',
} as const

/** The download of one’s own data. */
export const dataTexts = {
  title: 'Your data',
  about: 'Your account, your media, and what you bought and sold, in one ZIP file.',
  loadFailed: 'We couldn’t load your downloads',
  waiting: 'In progress. We’ll email you when it’s ready.',
  failed: 'This didn’t work. Please request it again.',
  requestedOn: (date: string) => `Requested ${date}`,
  readyUntil: (size: string, date: string) => `${size}, available until ${date}`,
  download: 'Download',
  request: 'Request your data',
}

/** The way out. */
export const deletionTexts = {
  /** Fixed wording: docs/product.md. */
  button: 'DELETE PROFILE',
  title: 'Delete your profile?',
  confirm: 'Delete my profile',
  cancel: 'Keep it',
  subscriptions: 'Subscriptions you pay for end and aren’t refunded.',
  subscribers: 'Your subscribers lose access and aren’t charged again.',
  available: 'available',
  pending: 'pending',
  onHold: 'on hold',
  earned: (amounts: string[]) =>
    `You have ${new Intl.ListFormat('en-US').format(amounts)}. Deleting your profile doesn’t pay this out.`,
  earnedUnknown:
    'We couldn’t load your balance. Deleting your profile doesn’t pay out what you earned, so check your earnings first.',
  payoutFirst: (minimum: string) =>
    `Request a payout before you go (${minimum} or more). Payouts you already requested are still made.`,
  effect:
    'Your profile is hidden right away, and you’re logged out everywhere. For 28 days, logging in brings everything back.',
  afterwards: (isCreator: boolean) =>
    isCreator
      ? 'After that, your media is gone for good, including for buyers. We’ll tell them today.'
      : 'After that, your media is gone for good.',
  goodbye: 'Goodbye',
  undo: (date: string) => `Changed your mind? Log in before ${date} to get everything back.`,
  close: 'Close',
}
