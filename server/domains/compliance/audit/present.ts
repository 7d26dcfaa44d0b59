import { formatMoney } from '../../../../contract/money.ts'
import type { Role } from '../../../../contract/permissions.ts'
import type { Output } from '../../../../contract/route.ts'
import type { auditRoutes } from '../../../../contract/routes/compliance/audit.ts'
import type { EntryRow } from './data.ts'

type Entry = Output<typeof auditRoutes.audit>['items'][number]

/** An entry, of whose detail only what its sentence says leaves the server. */
export function presentEntry(row: EntryRow): Entry {
  const { id, action, target_kind: kind, target_id, exists, reason, occurred_at } = row
  return {
    _id: id,
    action,
    at: occurred_at.toISOString(),
    actor: row.actor_id === null ? null : presentNamed(row.actor_username, row.actor_leaving),
    target: {
      kind,
      _id: target_id,
      exists,
      owner: row.owner_id === null ? null : presentNamed(row.owner_username, row.owner_leaving),
    },
    reason,
    facts: presentFacts(row),
  }
}

/** Who is leaving is named nowhere anymore. */
export function presentNamed(username: string | null, leaving: boolean | null) {
  return { username: leaving ? null : username }
}

function presentFacts(row: EntryRow): Entry['facts'] {
  const { action, detail, payout_cents } = row
  const cents = number(detail.cents) ?? payout_cents
  return {
    ...(row.person_id !== null && { person: presentNamed(row.person_username, row.person_leaving) }),
    ...(cents !== null && { amount: formatMoney(cents) }),
    ...pick('count', number(detail.count) ?? number(detail.named)),
    ...(action === 'user.role_set' && { role: { from: detail.from as Role, to: detail.to as Role } }),
    ...pick('days', number(detail.days)),
    ...pick('months', number(detail.months)),
    ...pick('month', text(detail.month)),
    ...pick('name', text(detail.subreddit) ?? text(detail.name)),
    ...(action === 'media.quarantined' && { again: 'groundBefore' in detail }),
  }
}

const number = (value: unknown) => (typeof value === 'number' ? value : null)
const text = (value: unknown) => (typeof value === 'string' ? value : null)

function pick<Name extends string, Value>(name: Name, value: Value | null): { [_ in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [_ in Name]?: Value })
}
