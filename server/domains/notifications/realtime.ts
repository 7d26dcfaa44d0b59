import pLimit from 'p-limit'
import type { Signal } from '../../../contract/realtime.ts'
import type { Context } from '../../context.ts'
import type { Connection, Connections } from '../../realtime/connections.ts'
import { createTurns } from '../../realtime/turns.ts'
import { findNotification, findUnread } from './inbox/data.ts'
import { presentNotification } from './inbox/present.ts'

/** People who are told at the same time. */
const AT_ONCE = 4

type NotificationSignal = Extract<Signal, { name: `notification${string}` }>

/** Sends people who are connected to this process what they were told, and how much of it they haven't read. */
export function createNotificationDelivery(
  { db, log }: Context,
  connections: Connections,
): (signal: Signal) => void {
  // A message to many tells many at once, and others wait for the database meanwhile.
  const limit = pLimit(AT_ONCE)
  // Counts are sent in the order in which they were read, or an old one would stay.
  const turns = createTurns()
  return (signal) => {
    if (signal.name !== 'notification.added' && signal.name !== 'notifications.read') return
    for (const person of signal.people) {
      const listening = connections.of(person).filter(({ conversationId }) => conversationId === null)
      if (listening.length === 0) continue
      // The next page of notifications says it as well.
      turns
        .take(person, () => limit(() => tell(signal, person, listening)))
        .catch((error: unknown) => log.warn({ err: error }, 'a notification was not told'))
    }
  }

  async function tell(signal: NotificationSignal, person: string, listening: Connection[]): Promise<void> {
    const unread = await findUnread(db, person)
    if (signal.name === 'notifications.read') {
      for (const connection of listening) connection.emit('notifications read', unread)
      return
    }
    const row = await findNotification(db, { id: signal.notificationId, userId: person })
    if (!row) return
    for (const connection of listening)
      connection.emit('notification', { notification: presentNotification(row), ...unread })
  }
}
