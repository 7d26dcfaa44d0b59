import { dayOf, formatDate, formatTime } from '../../../ui/format.ts'
import { formatWeekday } from '../../../ui/format-occasional.ts'
import { chatTexts } from '../texts.ts'

const DAY_MS = 86_400_000

/** A day as a heading: `Today`, `Yesterday`, `Monday` within a week, else `Nov 21, 2026`. */
export function formatDay(day: string, now: Date): string {
  if (day === dayOf(now)) return chatTexts.today
  const noon = new Date(`${day}T12:00:00`)
  const days = Math.round((new Date(`${dayOf(now)}T12:00:00`).getTime() - noon.getTime()) / DAY_MS)
  if (days === 1) return chatTexts.yesterday
  return days > 1 && days < 7 ? formatWeekday(day) : formatDate(day)
}

/** When a conversation was last written in: the time of today, else the day. */
export function formatLast(moment: string, now: Date): string {
  const day = dayOf(moment)
  return day === dayOf(now) ? formatTime(moment) : formatDay(day, now)
}
