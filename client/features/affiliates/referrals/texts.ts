import { formatCount, formatNumber } from '../../../ui/format.ts'

/** The page of what referring people earned. */
export const referralsTexts = {
  title: 'Referrals',
  lead: 'Who signed up through you, and what you earned from it.',
  how: 'How it works',
  link: 'Your referral link',
  failed: 'We couldn’t load your referrals',
  fans: 'Fans signed up',
  creators: 'Creators signed up',
  pending: 'Pending',
  available: 'Available',
  reserved: 'On hold',
  reservedHint:
    'Amounts stay on hold until disputes with a card’s bank are decided and refunds of custom requests are sent.',
  availableHint: 'Commissions become available after 7 days. Request a payout on your earnings page.',
  payouts: 'Go to earnings',
  chart: {
    title: 'Commissions by month',
    label: 'Commissions by month',
    month: 'Month',
    earned: 'Earned',
    summary: (earned: string) => `${earned} in the last 12 months`,
  },
} as const

/** Each commission. */
export const commissionTexts = {
  title: 'Commissions',
  failed: 'We couldn’t load your commissions',
  nothingTitle: 'No commissions on sales yet',
  nothing: 'Share your link. When someone who signed up through it buys or sells, your part shows up here.',
  side: {
    buyer: 'A fan you referred bought something',
    seller: 'A creator you referred sold something',
    both: 'You referred both the buyer and the seller',
  },
  through: (title: string) => `Shared code “${title}”`,
  ownLink: 'Your link',
  returned: (amount: string) => `${amount} taken back after a refund`,
  canceled: 'Canceled under the referral terms',
  status: {
    pending: 'Pending',
    available: 'Available',
    onHold: 'On hold',
    returned: 'Refunded',
    canceled: 'Canceled',
  },
} as const

/** The Subreddit program. */
export const subredditsTexts = {
  title: 'Subreddits',
  lead: '$0.01 per subscriber for you and $0.01 per subscriber for the subreddit, once it’s approved. At least 1,000 subscribers; restrictions apply.',
  failed: 'We couldn’t load your subreddits',
  apply: 'Refer a subreddit',
  about: 'We talk to the moderators before we approve it. You’ll see the decision and its conditions here.',
  name: 'Subreddit',
  count: 'Subscribers',
  send: 'Send application',
  applied: 'Application sent',
  subscribers: (count: string) => `${count} subscribers`,
  status: { applied: 'In review', approved: 'Approved', refused: 'Declined' },
  canceled: 'Canceled',
} as const

/** Codes that several people share. */
export const sharedCodesTexts = {
  title: 'Shared codes',
  lead: 'Promote together: everyone who shares a code gets an equal part of its commissions. People you add join once they accept.',
  invitations: 'Invitations',
  invitationsFailed: 'We couldn’t load your invitations',
  invitation: (title: string) => `Invitation to “${title}”`,
  accept: 'Accept',
  acceptOf: (title: string) => `Accept ${title}`,
  accepted: 'You joined this code.',
  decline: 'Decline',
  declineOf: (title: string) => `Decline ${title}`,
  declined: 'Invitation declined',
  invited: (username: string) => `${username} (invited)`,
  others: (count: number) => `${formatNumber(count)} more`,
  failed: 'We couldn’t load your shared codes',
  create: 'Create a shared code',
  createTitle: 'Create a shared code',
  lost: 'This code isn’t created yet.',
  edit: 'Edit',
  editOf: (title: string) => `Edit ${title}`,
  editTitle: 'Edit shared code',
  leave: 'Leave',
  leaveOf: (title: string) => `Leave ${title}`,
  leaveTitle: (title: string) => `Leave “${title}”?`,
  leaveText:
    'You keep what you earned with it. From now on the others split its commissions. Only the person who manages it can invite you again.',
  leaveManager:
    'You keep what you earned with it. The next person on the list manages it from now on, and only they can invite you again.',
  left: 'You left the code.',
  link: (title: string) => `Link of ${title}`,
  youManage: 'You manage it',
  signUps: (count: number) => formatCount(count, 'sign-up'),
  lastUpdate: (username: string | null, day: string) =>
    username === null ? `Last changed on ${day}` : `Last changed by ${username} on ${day}`,
  field: 'Title',
  fieldHint: 'Everyone who shares the code sees it.',
  people: 'Who shares it with you?',
  nobody: 'No one found. Type the full username.',
  save: 'Save',
  saved: 'Success!',
} as const
