import {
  CREATOR_TOPICS,
  DEFAULT_CHANNELS,
  type EmailFrequency,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
  REQUIRED_TOPICS,
  type TopicChannels,
} from '../../../../contract/notifications.ts'

/** Where somebody's day is, and the minutes of it in which they want to be left alone. */
export type LocalDay = { timeZone: string; quiet: { from: number; to: number } | null }

const MINUTE_MS = 60_000
/** All changes of an offset from UTC are at such a moment. */
const BLOCK_MS = 15 * MINUTE_MS
const DAY_MINUTES = 24 * 60
/** When digests come, in minutes of the day; those of a week come on Mondays. */
const DIGEST_AT = 9 * 60
const MONDAY = 1

/** The zone of whom no browser said one for. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

/** The channels of a topic: what was chosen, except that what is required is emailed at once. */
export function channelsOf(topic: NotificationTopic, chosen: TopicChannels | undefined): TopicChannels {
  const { email, push } = chosen ?? DEFAULT_CHANNELS[topic]
  return { email: REQUIRED_TOPICS.has(topic) ? 'now' : email, push: topic === 'security' || push }
}

/** The topics that somebody can be told of. */
export function topicsFor({ isCreator }: { isCreator: boolean }): NotificationTopic[] {
  return NOTIFICATION_TOPICS.filter((topic) => isCreator || !CREATOR_TOPICS.has(topic))
}

/** The settings that an unsubscribe link changes: one topic, all digests, or all immediate emails. */
export function unsubscribed(
  scope: NotificationTopic | 'digest' | 'now',
  emailOf: (topic: NotificationTopic) => EmailFrequency,
): NotificationTopic[] {
  return NOTIFICATION_TOPICS.filter((topic) => {
    if (REQUIRED_TOPICS.has(topic)) return false
    if (scope === 'now') return emailOf(topic) === 'now'
    return scope === 'digest' ? ['daily', 'weekly'].includes(emailOf(topic)) : topic === scope
  })
}

/** Whether somebody wants to be left alone at this moment. */
export function isQuiet(at: Date, { timeZone, quiet }: LocalDay): boolean {
  return quiet !== null && isWithin(minuteOf(at.getTime() + offsetAt(at.getTime(), timeZone)), quiet)
}

/** The first moment from now on that isn't quiet: now, or a full minute. */
export function afterQuiet(now: Date, day: LocalDay): Date {
  const { quiet, timeZone } = day
  if (quiet === null || !isQuiet(now, day)) return now
  let at = now.getTime() - (now.getTime() % MINUTE_MS)
  // Two days, as the clock may be set back within the quiet hours.
  const end = at + 2 * DAY_MINUTES * MINUTE_MS
  while (at < end) {
    const offset = offsetAt(at, timeZone)
    const blockEnd = at - (at % BLOCK_MS) + BLOCK_MS
    for (; at < blockEnd; at += MINUTE_MS)
      if (at > now.getTime() && !isWithin(minuteOf(at + offset), quiet)) return new Date(at)
  }
  return now
}

/** When the next digest comes: at nine in the morning, after quiet hours, and on a Monday if it is a week's. */
export function nextDigestAt(now: Date, frequency: 'daily' | 'weekly', day: LocalDay): Date {
  const local = new Date(now.getTime() + offsetAt(now.getTime(), day.timeZone))
  for (let days = 0; ; days++) {
    const date = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days)
    if (frequency === 'weekly' && new Date(date).getUTCDay() !== MONDAY) continue
    const slot = afterQuiet(instantOf(date + DIGEST_AT * MINUTE_MS, day.timeZone), day)
    if (slot > now) return slot
  }
}

/** Whether a digest that was due then is a week's as well: its moment came in the day before that, or since. */
export function isWeekly({ due, now }: { due: Date; now: Date }, day: LocalDay): boolean {
  const dayBefore = new Date(due.getTime() - DAY_MINUTES * MINUTE_MS)
  return nextDigestAt(dayBefore, 'weekly', day) <= now
}

/** When a digest that was due then comes in another zone: at its next nine, unless it would have come on the day it is there. */
export function movedDigestAt({ due, now }: { due: Date; now: Date }, day: LocalDay): Date {
  const next = nextDigestAt(now, 'daily', day)
  // Monday's brings the week's news as well, which would wait for the next one.
  return due < next && dateAt(due, day) === dateAt(now, day) ? due : next
}

const dateAt = (at: Date, { timeZone }: LocalDay) =>
  new Date(at.getTime() + offsetAt(at.getTime(), timeZone)).toISOString().slice(0, 10)

const minuteOf = (local: number) => Math.floor(local / MINUTE_MS) % DAY_MINUTES

function isWithin(minute: number, { from, to }: { from: number; to: number }): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** The moment at which clocks there show this, given as if it were UTC. */
function instantOf(local: number, timeZone: string): Date {
  const guess = local - offsetAt(local, timeZone)
  return new Date(local - offsetAt(guess, timeZone))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far clocks there are ahead of UTC at a moment, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    const numeric = 'numeric' as const
    const parts = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    }
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts })
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - (at - (at % 1000))
}
