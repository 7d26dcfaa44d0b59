import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { grant, revoke } from '../domains/media/entitlements/actions.ts'
import type { Person } from './builders.ts'
import type { Harness } from './harness.ts'

/** Unlocks items for good, in their current versions; returns the source of the grant. */
export async function buildGrant(harness: Harness, person: Person, mediaIds: string[]): Promise<string> {
  const { db, clock } = harness.context
  const source = { kind: 'manual', id: randomUUID() } as const
  const media = await db
    .selectFrom('media')
    .select(['id as mediaId', 'version_id as versionId'])
    .where('id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .execute()
  await db
    .transaction()
    .execute((tx) => grant(tx, { userId: person.id, source, gives: { media }, now: clock.now() }))
  return source.id
}

/** Revokes it. */
export function revokeGrant(harness: Harness, sourceId: string): Promise<void> {
  const { db, clock } = harness.context
  return db.transaction().execute((tx) => revoke(tx, 'manual', [sourceId], clock.now()))
}
