import type { Tx } from '../db/client.ts'
import { sampleId } from './content.ts'
import { CREATORS, FANS } from './people.ts'

const CODE_ID = sampleId('shared code')

/** The first creator and the first fan brought some of the others, and two creators share a code that brought more. */
export async function insertReferrals(db: Tx, at: Date): Promise<void> {
  const [mara, okko, ines, theo] = CREATORS.map(({ username }) => sampleId(username))
  const [fan, ...others] = FANS.map(({ username }) => sampleId(username))
  if (!mara || !okko || !ines || !theo || !fan) throw new Error('the sample has too few people')
  await db
    .insertInto('shared_codes')
    .values({
      id: CODE_ID,
      code: 'dawnandtide',
      title: 'Dawn and tide',
      updated_by: okko,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await db
    .insertInto('shared_code_participants')
    .values([mara, okko].map((user_id, place) => ({ code_id: CODE_ID, user_id, place, accepted_at: at })))
    .execute()
  await refer(db, [theo, ...others.slice(0, 2)], { referred_by: mara })
  await refer(db, [ines, ...others.slice(2, 3)], { referred_by: fan })
  await refer(db, others.slice(3, 6), { referred_by_shared: CODE_ID })
}

function refer(
  db: Tx,
  people: string[],
  by: { referred_by: string } | { referred_by_shared: string },
): Promise<unknown> {
  return db.updateTable('users').set(by).where('id', 'in', people).execute()
}
