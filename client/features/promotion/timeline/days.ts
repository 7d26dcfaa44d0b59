import { wallTime } from '../../../../contract/wall-time.ts'
import { dayOf } from '../../../ui/format.ts'
import type { Queue, TimelineItem } from './api.ts'

export type Day = { day: string; items: TimelineItem[] }

/** Items by the day they are at, in the browser’s own time zone, in their order. */
export function byDay(items: readonly TimelineItem[]): Day[] {
  const days = Map.groupBy(items, (item) => dayOf(item.postTime))
  return [...days].map(([day, its]) => ({ day, items: its }))
}

/** Items from the earliest to the latest, also where one was moved before the others. */
export const inOrder = (items: readonly TimelineItem[]): TimelineItem[] =>
  items.toSorted((one, other) => Date.parse(one.postTime) - Date.parse(other.postTime))

const OPEN = ['scheduled', 'waiting', 'submitting']

/** The items that were to go up before a moment and still are, and the others, in their order. */
export function overdueOf(items: readonly TimelineItem[], before: string) {
  const isOverdue = ({ state, postTime }: TimelineItem) =>
    OPEN.includes(state) && Date.parse(postTime) < Date.parse(before)
  return { overdue: items.filter(isOverdue), others: items.filter((item) => !isOverdue(item)) }
}

/** The hour of the day of a moment, in the browser’s own time zone. */
export const hourOf = (moment: string): number => new Date(moment).getHours()

/** The same time of another day, in the browser’s own time zone; one that is skipped there is as much later. */
export function onDay(moment: string, day: string): string {
  // Set again, a time that comes twice would become the first.
  if (dayOf(moment) === day) return moment
  const date = new Date(moment)
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
  date.setFullYear(year, month - 1, dayOfMonth)
  return date.toISOString()
}

/** The same minute of another hour of its day. */
export function atHour(moment: string, hour: number): string {
  if (hourOf(moment) === hour) return moment
  const date = new Date(moment)
  date.setHours(hour)
  return date.toISOString()
}

/** An hour of a day, from one moment to another in milliseconds. */
export type Hour = { hour: number; from: number; to: number }

/** The hours of a day in the browser’s own time zone: one that the clock skips is left out, one that comes twice is longer. */
export function hoursOf(day: string): Hour[] {
  const begins = Array.from({ length: 24 }, (_, hour) => {
    const begin = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00`)
    return { hour, from: begin.getTime(), isShown: begin.getHours() === hour }
  }).filter(({ isShown }) => isShown)
  const end = Date.parse(startOf(dayAfter(day, 1)))
  return begins.map(({ hour, from }, index) => ({ hour, from, to: begins[index + 1]?.from ?? end }))
}

/** Whether the queue may use an hour of a day, which begins at a moment; its days and hours are in its own time zone. */
export function isFree(moment: Date, queue: Pick<Queue, 'timeZone' | 'days' | 'hours'>): boolean {
  const wall = wallTime(moment, queue.timeZone)
  const weekday = new Date(`${wall.slice(0, 10)}T12:00:00Z`).getUTCDay()
  return queue.days.includes(weekday) && queue.hours.includes(Number(wall.slice(11, 13)))
}

/** The seven days of the week that a day lies in, from Sunday on: `2026-11-22`. */
export function weekOf(day: string): string[] {
  const noon = new Date(`${day}T12:00:00`)
  return Array.from({ length: 7 }, (_, index) => {
    const date = new Date(noon)
    date.setDate(date.getDate() - noon.getDay() + index)
    return dayOf(date)
  })
}

/** A day so many days after another. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00`)
  date.setDate(date.getDate() + days)
  return dayOf(date)
}

/** When a day begins in the browser’s own time zone. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
