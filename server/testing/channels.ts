import { afterAll, afterEach, beforeAll } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { NotificationEvent } from '../../contract/notifications.ts'
import { notify } from '../domains/notifications/actions.ts'
import type { Person } from './builders.ts'
import { closeSockets } from './chat.ts'
import { type Harness, startHarness } from './harness.ts'
import { createPushBrowser } from './push-browser.ts'

export const HOUR_MS = 3600 * 1000

/** A server for a file of tests of notifications, and what people do with theirs. */
export function channels() {
  let harness: Harness
  const scene = { harness: undefined as unknown as Harness }
  beforeAll(async () => {
    harness = await startHarness()
    scene.harness = harness
  })
  afterEach(closeSockets)
  afterAll(() => harness?.stop())

  const as = (person: { token: string }) => harness.api.as(person)
  const list = (person: Person) => as(person).call(routes.notifications, { query: {} })
  const tell = (event: NotificationEvent, once?: string) =>
    harness.context.db
      .transaction()
      .execute((db) => notify(db, event, { now: harness.clock.now(), ...(once ? { once } : {}) }))
  const sale = (creator: Person, fan: Person, title = 'A photo') =>
    tell({
      kind: 'sale.made',
      person: creator.id,
      data: { from: fan.username, fromId: fan.id, title, amount: '$4', item: 'single' },
    })
  const settingsOf = (person: Person) => as(person).call(routes.notificationSettings, {})
  const set = (person: Person, body: object) => as(person).call(routes.setNotificationSettings, { body })
  const inNewYork = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options }).format(harness.clock.now())
  /** Moves the clock to this hour of the next day in New York. */
  function advanceTo(hour: number): void {
    const local = () => Number(inNewYork({ hour: 'numeric', hourCycle: 'h23' }))
    harness.clock.advance((24 + hour - local()) * HOUR_MS)
    // A day on which the clocks are changed has an hour more or less.
    harness.clock.advance((((hour - local() + 36) % 24) - 12) * HOUR_MS)
  }
  const browser = (name?: string) => createPushBrowser(harness, name)
  /** The addresses at which browsers of this person are reached. */
  const kept = (person: Person) =>
    harness.context.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', person.id).execute()

  return Object.assign(scene, { as, list, tell, sale, settingsOf, set, inNewYork, advanceTo, browser, kept })
}
