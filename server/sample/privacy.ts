import type { Tx } from '../db/client.ts'
import { SANDBOX_PROVIDER } from '../ports/age/port.ts'
import { sampleId } from './content.ts'

const DAY_MS = 24 * 3600 * 1000

/** A place that a creator keeps out, a person who is blocked, two age checks and people who are depicted. */
export async function insertPrivacy(
  db: Tx,
  people: { creators: readonly string[]; fans: readonly string[] },
  now: Date,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [first, second, third] = people.creators.map(sampleId)
  const [fan, otherFan, lastFan] = people.fans.toReversed().map(sampleId)
  if (!first || !second || !third || !fan || !otherFan || !lastFan) return
  await db.insertInto('geo_blocks').values({ creator_id: third, country: 'IS' }).execute()
  await db
    .insertInto('blocks')
    .values({ blocker_id: second, blocked_id: fan, created_at: before(40) })
    .execute()
  const check = { provider: SANDBOX_PROVIDER, method: 'document' }
  await db
    .insertInto('age_verifications')
    .values([
      {
        ...check,
        user_id: otherFan,
        result: 'approved',
        created_at: before(60),
        decided_at: before(60),
        expires_at: before(-305),
      },
      {
        ...check,
        user_id: lastFan,
        result: 'refused',
        created_at: before(12),
        decided_at: before(12),
        expires_at: null,
      },
    ])
    .execute()
  await db
    .insertInto('performers')
    .values(
      ['Jo of the hut', 'The other climber'].map((name) => ({
        creator_id: first,
        name,
        created_at: before(90),
      })),
    )
    .execute()
  await db.updateTable('profiles').set({ watermark: true }).where('user_id', '=', first).execute()
}
