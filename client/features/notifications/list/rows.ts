import { dayOf } from '../../../ui/format.ts'
import type { Notification } from '../api.ts'
import { canGroup } from './texts.ts'

/** One line of the list, which may stand for several notifications. */
export type Row = { key: string; ids: string[]; newest: Notification; unread: boolean }
export type Day = { day: string; rows: Row[] }

/** Notifications by the day on which they came, newest first; those of a kind that often comes are one line a day. */
export function daysOf(items: readonly Notification[]): Day[] {
  const days = Map.groupBy(items, ({ createdAt }) => dayOf(createdAt))
  return [...days].map(([day, ofDay]) => ({ day, rows: rowsOf(ofDay) }))
}

function rowsOf(items: readonly Notification[]): Row[] {
  const rows = new Map<string, Row>()
  for (const item of items) {
    const { kind } = item.event
    // New notifications stand apart from those that were seen.
    const key = canGroup(kind) ? `${kind} ${item.read}` : item._id
    const row = rows.get(key)
    if (row) row.ids.push(item._id)
    else rows.set(key, { key, ids: [item._id], newest: item, unread: !item.read })
  }
  return [...rows.values()]
}
