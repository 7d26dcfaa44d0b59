/** The permissions of operators, each named by domain and action. */
export const PERMISSIONS = [
  /** Finds everybody: no block, hidden region or suspension keeps them out. */
  'people.viewAll',
  'people.suspend',
  'people.setRole',
  'people.approveAge',
  /** Sees every item that is not deleted, locked and private ones too, and who is depicted. */
  'media.viewAll',
  'media.editAll',
  'media.deleteAll',
  'media.unlock',
  'media.quarantine',
  /** Sees any creator's subscribers, and gives them free days and months. */
  'subscriptions.extend',
  /** Reads reported messages with what stands around them, and decides. */
  'reports.review',
  /** Keeps what is known of subreddits, their tags, and lists for everybody. */
  'subreddits.edit',
  /** Sees and changes anybody’s verification in subreddits. */
  'verification.editAll',
  'regions.edit',
  'senators.edit',
  'refunds.issue',
  'payouts.approve',
  /** Takes into the books what bank statements and processors' bills say, with a second person. */
  'ledger.adjust',
  /** Reads the audit log: what every operator did, and why. */
  'audit.read',
] as const

/** The permissions whose holders see decisions waiting on Home. */
export const DECIDING = [
  'refunds.issue',
  'reports.review',
  'payouts.approve',
  'ledger.adjust',
] as const satisfies (typeof PERMISSIONS)[number][]

export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = ['superadmin', 'reviewer', 'support', 'finance'] as const

export type Role = (typeof ROLES)[number]

const PERMISSIONS_OF: Record<Role, readonly Permission[]> = {
  superadmin: PERMISSIONS,
  reviewer: ['people.viewAll', 'people.suspend', 'media.viewAll', 'media.quarantine', 'reports.review'],
  support: ['people.viewAll', 'people.approveAge', 'media.unlock'],
  finance: ['people.viewAll', 'refunds.issue', 'payouts.approve', 'ledger.adjust'],
}

/** Everything that somebody of this role may do; nothing without one. */
export function permissionsOf(role: Role | null): readonly Permission[] {
  return role === null ? [] : PERMISSIONS_OF[role]
}

/** Whether this person may do it; a visitor (null) never may. */
export function can(person: { role: Role | null } | null, permission: Permission): boolean {
  return permissionsOf(person?.role ?? null).includes(permission)
}

/** Whether this person is one of the site's operators, of whom more is asked when they log in. */
export function isOperator(person: { role: Role | null } | null): boolean {
  return permissionsOf(person?.role ?? null).length > 0
}

/** The roles of operators. */
export const OPERATOR_ROLES = ROLES.filter((role) => isOperator({ role }))

/** The roles whose holders may do it. */
export function rolesWith(permission: Permission): Role[] {
  return ROLES.filter((role) => can({ role }, permission))
}
