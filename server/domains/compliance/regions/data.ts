import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** The id under which the audit log knows a region. */
export const regionTarget = (region: { country: string; code: string }) => `${region.country}-${region.code}`

/** Every restricted region by country and name, with the last entry of the audit log on it. */
export async function listRegions(db: Db) {
  const { rows } = await sql<{
    country: string
    code: string
    name: string
    vpn_hint: boolean
    by: string | null
    reason: string | null
    occurred_at: Date | null
  }>`
    select country, code, name, vpn_hint, change.by, change.reason, change.occurred_at
    from restricted_regions left join lateral (
      select coalesce(users.username, 'Deleted User') as by, reason, occurred_at
      from audit_log left join users on users.id = actor_id
      where target_kind = 'region' and target_id = country || '-' || code
      order by audit_log.id desc limit 1
    ) change on true
    order by country, name
  `.execute(db)
  return rows
}
