/**
 * What account erasure does with every table. A migration that makes a table must name it here: `erased` with the
 * account, `kept` for the reason given, or `none` when it holds nothing about a person.
 */
export const personalData: Record<string, 'erased' | 'none' | `kept: ${string}`> = {
  users: 'erased',
  sessions: 'erased',
  email_confirmations: 'erased',
  restricted_regions: 'none',
  profiles: 'erased',
  follows: 'erased',
  uploads: 'erased',
  media: 'erased',
  subscription_plans: 'erased',
  subscription_plan_media: 'erased',
  bundles: 'erased',
  bundle_media: 'erased',
  purchases: 'kept: money records stay, with the person shown as Deleted User (decisions §5)',
  stored_cards: 'erased',
  subscriptions: 'kept: money records stay',
  entitlements: 'kept: what was bought stays with its purchase',
  entitlement_media: 'erased',
  ledger_accounts: 'kept: the ledger is append-only',
  journals: 'kept: the ledger is append-only',
  postings: 'kept: the ledger is append-only',
  idempotency_keys: 'erased',
  audit_log: 'kept: what operators did must stay provable',
  rate_limits: 'none',
  installation: 'none',
}
