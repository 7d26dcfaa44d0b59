import type { ColumnType, Generated } from 'kysely'

/** Where content is withheld, and who was found to be of age. Owned by the compliance domain. */
export type ComplianceTables = {
  /** Two rows a state; `correct_on` is a day. */
  senators: {
    state: string
    seat: number
    name: string
    telephone: string
    correct_on: ColumnType<Date, string, string>
  }
  restricted_regions: { country: string; name: string; code: string; vpn_hint: Generated<boolean> }
  age_verifications: {
    id: Generated<string>
    /** Exactly one of these two is set. */
    user_id: string | null
    visit_id: string | null
    provider: string
    method: string | null
    result: 'approved' | 'refused' | 'expired' | null
    created_at: Date
    decided_at: Date | null
    expires_at: Date | null
    revoked_at: Date | null
  }
}
