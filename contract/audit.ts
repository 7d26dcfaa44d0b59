/** Every kind of entry of the audit log, in the past tense, by domain. An entry stays for good, and so does its kind. */
export const AUDIT_ACTIONS = [
  ...(['superadmin.created', 'superadmin.promoted'] as const),
  ...(['user.role_set', 'user.second_factor_removed', 'user.suspended', 'user.reinstated'] as const),
  ...(['age.approved', 'age.revoked', 'region.set', 'region.removed', 'senators.set'] as const),
  ...(['media.edited', 'media.deleted', 'media.file_replaced', 'media.unlocked'] as const),
  ...(['media.quarantined', 'media.released', 'media.unblocked'] as const),
  ...(['message-report.read', 'message-report.closed'] as const),
  ...(['order.refund-requested', 'order.refund-outside-begun'] as const),
  ...(['order.refund-outside-taken-back', 'order.refunded-outside'] as const),
  ...(['dispute.opened', 'dispute.won', 'dispute.lost', 'finding.taken', 'finding.resolved'] as const),
  ...(['adjustment.proposed', 'adjustment.posted', 'adjustment.declined'] as const),
  ...(['payout.approved', 'payout.canceled', 'payout.in_transit', 'payout.paid'] as const),
  ...(['payout.failed', 'payout.returned'] as const),
  ...(['payouts.exported', 'payouts.downloaded', 'statement.opened'] as const),
  ...(['commissions.canceled', 'subscription.extended'] as const),
  ...(['subreddit.proposed', 'subreddit.approved', 'subreddit.refused'] as const),
  ...(['subreddit.share_proposed', 'subreddit.share_paid'] as const),
  ...(['subreddits.imported', 'subreddit.edited', 'subreddit.deleted', 'subreddit-tag.added'] as const),
  ...(['subreddit-list.created', 'subreddit-list.updated', 'subreddit-list.deleted'] as const),
  ...(['verification.edited', 'keys.rotated', 'forum.cleared'] as const),
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What an entry may be about. */
export const AUDIT_TARGETS = [
  ...(['user', 'media', 'message-report', 'order', 'finding', 'adjustment'] as const),
  ...(['payout', 'payouts', 'payout_export', 'subscription', 'subreddit_affiliate'] as const),
  ...(['subreddit', 'subreddit-list', 'region', 'state', 'installation'] as const),
] as const

export type AuditTarget = (typeof AUDIT_TARGETS)[number]

/** In place of an operator: a command on the server, or the product by itself. */
export const BY_SERVER = 'server'
