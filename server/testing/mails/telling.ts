import type { NotificationEvent } from '../../../contract/notifications.ts'
import { notify, notifyEach } from '../../domains/notifications/actions.ts'
import type { Person } from '../builders.ts'
import type { Harness } from '../harness.ts'

export const fresh = (): string => `${crypto.randomUUID().slice(0, 13)}@example.test`

/** A call as this person, or as a visitor. */
export const post = (harness: Harness, path: string, body: object, person?: Person) =>
  (person ? harness.api.as(person) : harness.api.visitor()).send('POST', path, { body })

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

/** Tells the same so many times at once. */
export async function tellOften(harness: Harness, event: NotificationEvent, times: number): Promise<void> {
  const { db, clock } = harness.context
  const events = Array.from({ length: times }, () => ({ event, once: null }))
  await db.transaction().execute((tx) => notifyEach(tx, events, { now: clock.now() }))
}
