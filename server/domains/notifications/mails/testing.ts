import type { NotificationEvent } from '../../../../contract/notifications.ts'
import { buildSession, type Person } from '../../../testing/builders.ts'
import type { Harness } from '../../../testing/harness.ts'
import { buildAccount } from '../../../testing/security.ts'
import { notify } from '../actions.ts'

export const fresh = (): string => `${crypto.randomUUID().slice(0, 13)}@example.test`

export const account = (harness: Harness, options: { email?: string; verified?: boolean } = {}) =>
  buildAccount(harness, options)

export const as = (harness: Harness, person: { token: string }) => harness.api.as(person)

/** A call as this person, or as a visitor. */
export const post = (harness: Harness, path: string, body: object, person?: Person) =>
  (person ? harness.api.as(person) : harness.api.visitor()).send('POST', path, { body })

/** A session of this person's who has just entered the password. */
export const reauthenticated = async (harness: Harness, { id }: Pick<Person, 'id'>) => ({
  token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }),
})

/** What a profile is edited with that changes nothing but the address. */
export const profileOf = ({ username }: Person, email: string) => ({
  firstName: 'Ada',
  username,
  redditUsername: 'ada',
  email,
})

/** Tells of what a call would tell that needs a payment. */
export async function tell(harness: Harness, event: NotificationEvent): Promise<void> {
  const { db, clock } = harness.context
  await db.transaction().execute((tx) => notify(tx, event, { now: clock.now() }))
}
