import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { type AgeChecks, SANDBOX_PROVIDER } from '../../ports/age/port.ts'
import type { Place } from '../../ports/geo/port.ts'

/** Somebody at a place, an account, or the visit of a browser, or both, and who checks ages in this installation now. */
export type GateVisitor = {
  place: Place
  userId: string | null
  ageVisit: string | null
  ageChecks: AgeChecks | null
  now: Date
}

/**
 * Whether content at this place needs an age check, and whether this account or visit has an approval of a provider
 * that counts now: in one query. The operator's own approval is the account's and not looked at here.
 */
export async function findGate(
  db: Db,
  { place, ...visitor }: GateVisitor,
): Promise<{ restricted: boolean; approved: boolean }> {
  const { rows } = await sql<{ restricted: boolean; approved: boolean }>`
    select ${restrictedAt(place)} as restricted, ${approvedFor(visitor)} as approved
  `.execute(db)
  return rows[0] ?? { restricted: false, approved: false }
}

/** Whether content is withheld from this visitor for the want of an approval. An unknown place costs no query. */
export async function isWithheld(db: Db, visitor: GateVisitor): Promise<boolean> {
  if (!visitor.place.country || !visitor.place.region) return false
  const { restricted, approved } = await findGate(db, visitor)
  return restricted && !approved
}

/** The operator's rule for this place, or null when it is not on the list. */
export async function findRegion(db: Db, place: Place): Promise<{ vpnHint: boolean } | null> {
  const { rows } = await sql<{ vpnHint: boolean }>`
    select vpn_hint as "vpnHint" from restricted_regions where ${isPlace(place)} limit 1
  `.execute(db)
  return rows[0] ?? null
}

function restrictedAt(place: Place): RawBuilder<boolean> {
  return sql<boolean>`exists (select from restricted_regions where ${isPlace(place)})`
}

/** A region counts by its code or its full name, whatever their case, within its own country (docs/product.md, Regions and age). */
function isPlace({ country, region }: Place): RawBuilder<boolean> {
  return sql<boolean>`(
    country = ${country?.toUpperCase() ?? null}::text and lower(${region}::text) in (lower(code), lower(name))
  )`
}

/**
 * Which approvals of providers count now. The sandbox's do only while it is what checks ages here: what people approved
 * for themselves before another provider came, or money was real, opens nothing.
 */
export function countingApproval({
  ageChecks,
  now,
}: Pick<GateVisitor, 'ageChecks' | 'now'>): RawBuilder<boolean> {
  const sandbox = ageChecks?.provider === SANDBOX_PROVIDER
  return sql<boolean>`(
    result = 'approved' and expires_at > ${now} and revoked_at is null
      and (${sandbox}::boolean or provider <> ${SANDBOX_PROVIDER})
  )`
}

function approvedFor({ userId, ageVisit, ...counting }: Omit<GateVisitor, 'place'>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from age_verifications
    where (user_id = ${userId}::uuid or visit_id = ${ageVisit}::uuid)
      and ${countingApproval(counting)}
  )`
}
