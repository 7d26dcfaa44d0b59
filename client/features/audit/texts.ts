import type { AuditAction } from '../../../contract/audit.ts'
import type { Role } from '../../../contract/permissions.ts'
import { formatCount } from '../../ui/format.ts'
import type { Entry } from './api.ts'

export const auditTexts = {
  title: 'Audit log',
  lead: 'What operators did, about whom or what, and why. Entries can’t be changed or deleted.',
  filters: 'Filter the audit log',
  about: 'About',
  aboutHint: 'Username or ID',
  actor: 'By',
  anyone: 'Anyone',
  server: 'The server',
  oneOperator: 'One operator',
  actorsFailed: 'We couldn’t load the names. Reload the page to try again.',
  action: 'Action',
  anything: 'All actions',
  from: 'From',
  to: 'To',
  backwards: 'Choose a day on or after the first one.',
  clear: 'Clear filters',
  label: 'Entries, newest first',
  failed: 'We couldn’t load the audit log',
  none: 'No entries yet',
  noneWhy:
    'When an operator suspends someone, issues a refund, or takes down media, it appears here with the reason.',
  noResults: 'No entries match these filters',
  noResultsHint: 'Enter a whole username, email, subreddit, or ID, or change the other filters.',
  reason: 'Reason:',
} as const

const roleTexts: Record<Role, string> = {
  superadmin: 'superadmin',
  reviewer: 'reviewer',
  support: 'support',
  finance: 'finance',
}

const roleText = (role: Role | null | undefined) => (role ? roleTexts[role] : 'no role')

type Facts = Entry['facts']
type Words = {
  /** What happened, as a choice among others: what it was done to comes first, so that they sort by it. */
  name: string
  /** What follows the name of who did it; in braces what may be a link, or isn’t text. */
  did: string | ((facts: Facts) => string)
}

/** The words of each kind of entry: a kind without words doesn’t compile. */
export const actionTexts: Record<AuditAction, Words> = {
  'superadmin.created': { name: 'Superadmin created', did: 'created the superadmin {target}' },
  'superadmin.promoted': { name: 'Superadmin appointed', did: 'made {target} a superadmin' },
  'user.role_set': {
    name: 'Role changed',
    did: ({ role }) => `changed the role of {target} from ${roleText(role?.from)} to ${roleText(role?.to)}`,
  },
  'user.second_factor_removed': {
    name: 'Two-factor authentication removed',
    did: 'removed two-factor authentication from the account of {target}',
  },
  'user.suspended': { name: 'Account suspended', did: 'suspended {target}' },
  'user.reinstated': { name: 'Account reinstated', did: 'reinstated {target}' },
  'age.approved': { name: 'Age approved', did: 'approved the age of {target}' },
  'age.revoked': { name: 'Age approval revoked', did: 'revoked the age approval of {target}' },
  'region.set': { name: 'Region restriction saved', did: 'saved the restriction of {target}' },
  'region.removed': { name: 'Region restriction removed', did: 'removed the restriction of {target}' },
  'senators.set': { name: 'Senators updated', did: 'updated the senators of {target}' },
  'media.edited': { name: 'Media edited', did: 'edited {target}' },
  'media.deleted': { name: 'Media deleted', did: 'deleted {target}' },
  'media.file_replaced': { name: 'Media file replaced', did: 'replaced the file of {target}' },
  'media.unlocked': { name: 'Media unlocked', did: 'unlocked {target} for {person}' },
  'media.quarantined': {
    name: 'Media taken down',
    did: ({ again }) => (again ? 'updated the takedown of {target}' : 'took down {target}'),
  },
  'media.released': { name: 'Media released', did: 'released {target}' },
  'media.unblocked': { name: 'Media file unblocked', did: 'unblocked the file of {target}' },
  'message-report.read': { name: 'Reported messages read', did: 'read the messages around {target}' },
  'message-report.closed': { name: 'Report closed', did: 'closed the report of {target}' },
  'order.refund-requested': { name: 'Refund issued', did: 'issued a refund of {amount} for {target}' },
  'order.refund-outside-begun': {
    name: 'Refund sent another way: started',
    did: 'started to send a refund of {amount} for {target} another way',
  },
  'order.refund-outside-taken-back': {
    name: 'Refund sent another way: stopped',
    did: 'stopped sending a refund of {amount} for {target} another way',
  },
  'order.refunded-outside': {
    name: 'Refund sent another way: recorded',
    did: 'recorded a refund of {amount} for {target} as made elsewhere',
  },
  'dispute.opened': { name: 'Dispute recorded', did: 'recorded a dispute of {amount} over {target}' },
  'dispute.won': { name: 'Dispute won', did: 'recorded a dispute of {amount} over {target} as won' },
  'dispute.lost': { name: 'Dispute lost', did: 'recorded a dispute of {amount} over {target} as lost' },
  'finding.taken': { name: 'Payment difference taken', did: 'took {target}' },
  'finding.resolved': { name: 'Payment difference resolved', did: 'resolved {target}' },
  'adjustment.proposed': { name: 'Adjustment entered', did: 'entered {target} of {amount}' },
  'adjustment.posted': { name: 'Adjustment approved', did: 'approved {target} of {amount}' },
  'adjustment.declined': { name: 'Adjustment declined', did: 'declined {target}' },
  'payout.approved': { name: 'Payout approved', did: 'approved {target}' },
  'payout.canceled': { name: 'Payout canceled', did: 'canceled {target}' },
  'payout.in_transit': { name: 'Payout sent to the bank', did: 'sent {target} to the bank' },
  'payout.paid': { name: 'Payout marked as paid', did: 'marked {target} as paid' },
  'payout.failed': { name: 'Payout marked as failed', did: 'marked {target} as failed' },
  'payout.returned': { name: 'Payout marked as returned', did: 'marked {target} as returned' },
  'payouts.exported': { name: 'Payouts exported', did: 'exported {target}, {amount} in total, for the bank' },
  'payouts.downloaded': { name: 'Payouts exported again', did: 'downloaded {target} again' },
  'statement.opened': { name: 'Statement opened', did: 'opened the {month} statement of {target}' },
  'commissions.canceled': {
    name: 'Commissions canceled',
    did: ({ count = 0 }) => `canceled ${formatCount(count, 'commission')} of {target}, {amount} in total`,
  },
  'subscription.extended': {
    name: 'Free subscription time given',
    did: ({ days, months = 0 }) =>
      `gave {person} ${days === undefined ? formatCount(months, 'free month') : formatCount(days, 'free day')} of {target}`,
  },
  'subreddit.proposed': {
    name: 'Subreddit program: approval proposed',
    did: 'proposed to approve {target} for the subreddit program',
  },
  'subreddit.approved': {
    name: 'Subreddit program: subreddit approved',
    did: 'approved {target} for the subreddit program',
  },
  'subreddit.refused': {
    name: 'Subreddit program: subreddit declined',
    did: 'declined {target} for the subreddit program',
  },
  'subreddit.share_proposed': {
    name: 'Subreddit program: moderator proposed',
    did: 'proposed {person} for the moderator’s share of {target}',
  },
  'subreddit.share_paid': {
    name: 'Subreddit program: moderator paid',
    did: 'paid {person} the moderator’s share of {target}, {amount}',
  },
  'subreddits.imported': {
    name: 'Subreddits imported',
    did: ({ count = 0 }) => `imported ${formatCount(count, 'subreddit')}`,
  },
  'subreddit.edited': { name: 'Subreddit edited', did: 'edited {target}' },
  'subreddit.deleted': { name: 'Subreddit deleted', did: 'deleted {target}' },
  'subreddit-tag.added': { name: 'Subreddit tag added', did: 'added the subreddit tag {id}' },
  'subreddit-list.created': { name: 'Shared subreddit list created', did: 'created {target}' },
  'subreddit-list.updated': { name: 'Shared subreddit list edited', did: 'edited {target}' },
  'subreddit-list.deleted': { name: 'Shared subreddit list deleted', did: 'deleted {target}' },
  'verification.edited': {
    name: 'Verification edited',
    did: 'edited the verification of {target} in r/{name}',
  },
  'keys.rotated': { name: 'Encryption keys rotated', did: 'rotated the encryption keys' },
  'forum.cleared': { name: 'Sandbox forum cleared', did: 'deleted what the sandbox forum left' },
}

/** What is meant where nothing has a name of its own. */
export const targetTexts = {
  item: 'an item',
  by: 'by',
  messageReport: 'a reported message',
  payment: 'a payment',
  finding: 'a payment difference',
  adjustment: 'an adjustment',
  payout: 'a payout',
  of: 'of',
  to: 'to',
  payoutExport: 'an earlier export of payouts',
  subscription: 'a subscription',
  subredditList: 'a shared subreddit list',
  someone: 'someone',
  someAmount: 'an amount',
} as const
