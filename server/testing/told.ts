import { type NotificationEvent, NotificationEvent as Schema } from '../../contract/notifications.ts'
import { notify } from '../domains/notifications/actions.ts'
import type { Person } from './builders.ts'
import type { Harness } from './harness.ts'

/** Fields without a name of their own are those of kinds that say nothing more. */
type Naming<E> = E extends { kind: infer K; data: infer D }
  ? string extends keyof D
    ? never
    : 'creatorId' extends keyof D
      ? K
      : never
  : never
type Named = Naming<NotificationEvent>
type Samples = { [K in Named]: Omit<Extract<NotificationEvent, { kind: K }>['data'], 'title'> }

/** One of each kind that names a creator. */
function samplesOf({ username: creator, id: creatorId }: Person): Samples {
  const [named, day, amount] = [{ creator, creatorId }, '2030-01-01', '$4']
  return {
    'subscription.declined': { ...named, amount, noCard: false, until: day, ends: day, last: false },
    'subscription.reviewed': { ...named, amount, ends: day },
    'subscription.ending': { ...named, on: day, amount },
    'subscription.canceled': { ...named, until: day, resumable: true },
    'subscription.ended': {
      ...{ creatorId, unpaid: false, price: false, noCard: false },
      over: { free: false, creator },
    },
    'subscription.price-changed': { ...named, state: 'asked', before: '$3', amount, months: 1, on: day },
    'subscription.extended': { ...named, until: day, renews: true },
    'creator.leaving': { username: creator, creatorId, until: day },
  }
}

/** Tells a person of everything that names this creator; answers the kinds. */
export async function tellOfCreator(
  { context: { db, clock } }: Harness,
  { person, creator, title }: { person: Person; creator: Person; title: string },
): Promise<Named[]> {
  const samples = Object.entries(samplesOf(creator))
  await db.transaction().execute(async (tx) => {
    for (const [kind, data] of samples) {
      const event = Schema.parse({ kind, person: person.id, data: { title, ...data } })
      await notify(tx, event, { now: clock.now() })
    }
  })
  return samples.map(([kind]) => kind as Named)
}
