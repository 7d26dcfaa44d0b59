import { formatCount, formatDate } from '../../../ui/format.ts'

type Left = { posts: number; slots: number }

/** `3 posts and 1 recurring slot`. */
const counted = ({ posts, slots }: Left) =>
  [
    ...(posts > 0 ? [formatCount(posts, 'scheduled post')] : []),
    ...(slots > 0 ? [formatCount(slots, 'recurring slot')] : []),
  ].join(' and ')

/** The creator’s forum accounts. */
export const accountTexts = {
  title: 'Forum accounts',
  lead: (forum: string) => `Your ${forum} accounts, connected so that you can promote your work from here.`,
  connect: 'Connect an account',
  another: 'Connect another account',
  failed: 'We couldn’t load your accounts',
  accounts: 'Connected accounts',
  emptyTitle: 'No forum account yet',
  empty:
    'Connect one to see each subreddit’s post requirements and flair, prepare posts for the right subreddits, and keep track of your verification. We never see your password, and you can disconnect at any time.',
  connected: 'Connected',
  revoked: 'Not connected',
  stopped: 'Stopped by the forum',
  paused: 'Posting paused',
  since: (moment: string) => `Since ${formatDate(moment)}`,
  revokedHint:
    'The forum no longer accepts this connection. Your posts, lists, and progress are all still here; connect it again to continue.',
  stoppedHint:
    'Nothing is posted as this account. Check it on the forum, then resume posting on your timeline.',
  pausedHint: 'Nothing is posted as this account until you resume posting on your timeline.',
  timeline: 'Your timeline',
  timelineOf: (name: string) => `Your timeline, to resume posting as u/${name}`,
  reconnect: 'Connect again',
  reconnectOf: (name: string) => `Connect again: u/${name}`,
  disconnect: 'Disconnect',
  disconnectOf: (name: string) => `Disconnect u/${name}`,
  disconnectTitle: (name: string) => `Disconnect u/${name}?`,
  disconnectEffect:
    'We delete our access to this account and revoke it on the forum. Your posts, lists, and progress stay here.',
  disconnectWaits: (name: string, left: Left) =>
    `${counted(left)} will be on hold until you reconnect u/${name} or choose another account.`,
  disconnected: (name: string, left: Left) =>
    left.posts + left.slots === 0
      ? `u/${name} disconnected`
      : `u/${name} disconnected. ${counted(left)} ${left.posts + left.slots === 1 ? 'is' : 'are'} on hold until you reconnect u/${name}.`,
} as const

/** Where the forum leads back to. */
export const confirmationTexts = {
  title: 'Connect a forum account',
  waiting: 'Connecting your account…',
  /** Fixed wording: docs/product.md. */
  success: 'Success!',
  connected: (name: string) => `u/${name} is connected. Next, choose what to post and where.`,
  createPost: 'Create a post',
  progress: 'See your verification progress',
  accounts: 'See your accounts',
  deniedTitle: 'Not connected',
  denied: 'You declined the forum’s request, so nothing was connected.',
  error: 'The forum couldn’t connect your account. Please try again.',
  otherPerson:
    'This connection was started from another account. Log in to that account, or connect again from here.',
  nothingTitle: 'No connection in progress',
  nothing: 'This page finishes connecting a forum account. Start with the button below.',
  failed: 'We couldn’t connect your account',
  connect: 'Connect an account',
  again: 'Try again',
} as const
