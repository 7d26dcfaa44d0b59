import { MAX_FOLLOWERS_COUNTED } from '../../../contract/constants.ts'
import { formatCount, formatNumber } from '../../ui/format.ts'

/** What a profile and the buttons on it say. */
export const profileTexts = {
  unknownTitle: 'Nobody here',
  unknown: 'This person could not be found.',
  unknownHint: 'The name may be misspelled, or the account may be gone.',
  title: 'Profile',
  loadFailed: 'We couldn’t load this profile',
  blockedByYou: 'Blocked by you',
  suspended: 'Suspended',
  suspendedSince: (date: string, reason: string) => `Suspended on ${date}: ${reason}`,
  followers: (count: number) =>
    count >= MAX_FOLLOWERS_COUNTED
      ? `${formatNumber(MAX_FOLLOWERS_COUNTED)}+ followers`
      : formatCount(count, 'follower'),
  menu: 'Menu',
  limits: 'Limits',
  edit: 'Edit profile',
  manageMedia: 'Manage media',
  premiumContent: 'Premium content',
  upload: 'Upload',
}

/** What a profile's page says of what the creator made and sells. */
export const profilePageTexts = {
  subscriptions: 'Subscriptions',
  bundles: 'Bundles',
  singles: 'Singles',
  offersOf: (username: string) => `What ${username} offers`,
  media: 'Media',
  mediaOf: (username: string) => `Media of ${username}`,
  filter: 'Show',
  all: 'All',
  photos: 'Photos',
  videos: 'Videos',
  nothing: 'Nothing published yet',
  nothingHint: (username: string) => `Follow ${username} to see what’s new first.`,
  ownNothing: 'You haven’t published anything yet',
  ownNothingHint: 'Upload photos and videos, then choose who sees them and what you sell.',
  upload: 'Upload media',
  onlyYou: 'Only you',
  fanView: 'This is how a fan who hasn’t bought anything sees your profile.',
  leaveFanView: 'Back to your view',
}

export const followTexts = {
  loggedOut: 'Login to follow',
  follow: 'Follow',
  following: 'Following',
  unfollow: 'Unfollow',
}

export const shareTexts = {
  share: 'Share profile',
  copied: 'Link copied',
  /** Where the browser neither shares nor copies. */
  failed: (url: string) => `Your browser can’t copy this link: ${url}`,
}

export const blockTexts = {
  more: (username: string) => `More about ${username}`,
  block: 'Block',
  blockPerson: (username: string) => `Block ${username}`,
  blockTitle: (username: string) => `Block ${username}?`,
  blockEffect:
    'They won’t find your profile or media or be able to message you, and you’ll stop following each other. They keep what they bought. You can undo this on your privacy page.',
  blocked: (username: string) => `${username} is blocked.`,
  unblock: 'Unblock',
  unblockPerson: (username: string) => `Unblock ${username}`,
  unblocked: (username: string) => `${username} is no longer blocked.`,
  listTitle: 'Blocked people',
  nobody: 'You haven’t blocked anyone',
  nobodyHint: 'People you block can’t find you. Block someone from their profile.',
}

export const suspensionTexts = {
  suspend: 'Suspend',
  suspendAccount: 'Suspend account',
  suspendPerson: (username: string) => `Suspend ${username}`,
  suspendTitle: (username: string) => `Suspend ${username}?`,
  suspendEffect:
    'They’re logged out and can’t log in. Their profile and media are hidden and can’t be bought. Buyers keep what they bought.',
  suspended: (username: string) => `${username} is suspended.`,
  reinstate: 'Reinstate',
  reinstateAccount: 'Reinstate account',
  reinstatePerson: (username: string) => `Reinstate ${username}`,
  reinstateTitle: (username: string) => `Reinstate ${username}?`,
  reinstateEffect: 'They can log in again, and everything of theirs is shown and sold as before.',
  reinstated: (username: string) => `${username} is reinstated.`,
}

export const peopleTexts = {
  followingTitle: 'Following',
  followingLead: 'Creators you follow, newest first.',
  followNobody: 'You’re not following anyone yet',
  followNobodyHint: 'Creators you follow appear here.',
  findCreators: 'Find creators',
  searchTitle: 'Search people',
  searchLead: 'Find people by username.',
  username: 'Username',
  usernameHint: 'Part of a username',
  people: 'People',
  noResults: (filter: string) => (filter ? `No results for “${filter}”` : 'No one here yet'),
  noResultsHint: 'Try fewer letters or another spelling.',
  creator: 'Creator',
  privateProfile: 'Private profile',
}

export const privacyTexts = {
  title: 'Privacy',
  lead: 'Who can find you, and what happens to your data.',
  whoFinds: 'Who can find you',
  findMe: 'Let everyone find me',
  findMeHint:
    'While this is off, only creators you follow or bought from can find you in search and see your profile.',
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
  account: 'Your account',
}

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

export const deletionTexts = {
  /** The specification's, to the letter. */
  button: 'DELETE PROFILE',
  title: 'Delete your profile?',
  confirm: 'Delete my profile',
  cancel: 'Keep it',
  subscriptions: 'Subscriptions you pay for end and aren’t refunded.',
  subscribers: 'Your subscribers lose access and aren’t charged again.',
  effect:
    'Your profile is hidden right away, and you’re logged out everywhere. Until it’s deleted, logging in brings everything back.',
  afterwards: (isCreator: boolean) =>
    isCreator
      ? 'After that, your media and messages are gone for good, also for buyers. We’ll tell them today.'
      : 'After that, your media and messages are gone for good.',
  goodbye: 'Goodbye',
  undo: (date: string) => `Changed your mind? Log in before ${date} to get everything back.`,
  close: 'Close',
}

export const editingTexts = {
  title: 'Edit profile',
  lead: 'Your name, photos, links, and what others read about you.',
  lost: 'Changes to your profile aren’t saved.',
  firstName: 'First name',
  lastName: 'Last name (optional)',
  username: 'Username',
  usernameHint: 'Part of your profile’s address.',
  forumUsername: 'Forum username',
  forumUsernameHint: 'Only you see it.',
  email: 'Email',
  emailHint: 'We’ll send a link to a new email. It’s used once you open it.',
  bio: 'Bio',
  menu: 'Menu',
  menuHint: 'What you offer on request.',
  limits: 'Limits',
  limitsHint: 'What you don’t do.',
  links: 'Links',
  linkText: (number: number) => `Text of link ${number}`,
  linkUrl: (number: number) => `URL of link ${number}`,
  removeLink: (number: number) => `Remove link ${number}`,
  addLink: 'Add a link',
  save: 'Save',
  seeProfile: 'See your profile',
  confirmEmail: 'Please check your email to confirm the address.',
  avatar: { label: 'Profile picture', hint: '1:1, 96 by 96 pixels or larger' },
  hero: { label: 'Hero picture', hint: '4:1, 780 by 195 pixels or larger' },
  choose: (label: string) => `Choose a ${label.toLowerCase()}`,
  unreadable: 'This picture can’t be opened. Use PNG, JPG or WebP.',
  cancel: 'Cancel',
  usePicture: 'Use picture',
  move: 'Move the picture with the arrow keys',
  zoom: 'Zoom',
}
