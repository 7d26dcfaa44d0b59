import { MAX_FOLLOWERS_COUNTED } from '../../../contract/constants.ts'
import { formatCount, formatNumber } from '../../ui/format.ts'

/** A profile and its buttons. */
export const profileTexts = {
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
  message: 'Message',
  share: 'Share profile',
  more: (username: string) => `More about ${username}`,
}

/** The creator's media and products on a profile's page. */
export const profilePageTexts = {
  tip: 'Tip',
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
  nothingHint: (username: string) => `Follow ${username} to see what’s new on your dashboard.`,
  ownNothing: 'You haven’t published anything yet',
  ownNothingHint: 'Upload photos and videos, then choose who sees them and what you sell.',
  upload: 'Upload media',
  onlyYou: 'Only you',
}

export const followTexts = {
  loggedOut: 'Login to follow',
  follow: 'Follow',
  following: 'Following',
  unfollow: 'Unfollow',
}
