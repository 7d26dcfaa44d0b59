import type { Tx } from '../db/client.ts'
import { applyForSubreddit, decideSubreddit } from '../domains/commerce/subreddit-affiliates/actions.ts'
import { sampleId } from './content.ts'
import { CREATORS, FANS, OPERATOR } from './people.ts'

const DAY_MS = 24 * 3600 * 1000

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

/** A subreddit that pays its referrer and its moderator, one whose own share is held, and one to be decided. */
export async function insertSubredditAffiliates(db: Tx, now: Date): Promise<void> {
  const [mara, okko, ines] = CREATORS.map(({ username }) => sampleId(username))
  if (!mara || !okko || !ines) throw new Error('the sample has too few people')
  const by = (days: number) => ({
    actorId: sampleId(OPERATOR.username),
    reason: 'Agreed with the moderators',
    now: new Date(now.getTime() - days * DAY_MS),
  })
  const apply = (userId: string, subreddit: string, subscribers: number, days: number) =>
    applyForSubreddit(db, { userId, subreddit, subscribers, now: new Date(now.getTime() - days * DAY_MS) })
  const terms = { decision: 'approve' as const, restrictions: 'As long as our link stands in the sidebar.' }
  const paid = await apply(mara, 'morninglight', 4200, 40)
  await decideSubreddit(db, { applicationId: paid, ...terms, moderator: CREATORS[1]?.username, ...by(38) })
  const held = await apply(ines, 'harborviews', 1800, 12)
  await decideSubreddit(db, { applicationId: held, ...terms, ...by(10) })
  await apply(okko, 'tidepools', 6100, 2)
}

function refer(
  db: Tx,
  people: string[],
  by: { referred_by: string } | { referred_by_shared: string },
): Promise<unknown> {
  return db.updateTable('users').set(by).where('id', 'in', people).execute()
}
