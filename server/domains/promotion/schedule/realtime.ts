import type { Signal } from '../../../../contract/realtime.ts'
import type { Connections } from '../../../realtime/connections.ts'

/**
 * Tells people who are connected to this process that their timeline changed. What of it is theirs to ask: only they know
 * which part of it they look at.
 */
export function deliverTimeline(connections: Connections, signal: Signal): void {
  if (signal.name !== 'timeline.changed') return
  for (const connection of signal.people.flatMap((person) => connections.of(person)))
    if (connection.conversationId === null) connection.emit('timeline changed', {})
}
