import type { Flair, PostRequirements } from '../../../../contract/forum.ts'
import type { SubmissionType } from '../../../../contract/promotion.ts'
import type { PostRule, SubmissionFailure } from '../../../../contract/submissions.ts'
import { UNCONFIRMED } from '../submissions/rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 366 * DAY_MS

/** When a person's posts may go up, in their own time zone; 0 is Sunday. */
export type Rhythm = {
  timeZone: string
  days: readonly number[]
  hours: readonly number[]
  gapMinutes: number
}

/** At most `max` posts within any `windowMs`; `times` are those that are there, in any order. */
export type Limit = {
  rule: 'frequency' | 'repost' | 'same-media'
  max: number
  windowMs: number
  times: Date[]
}

/** How often something may be posted, as it is kept; null where nothing bounds it. */
type Frequency = { max: number | null; interval: number | null; unit: 'hours' | 'days' | null }

/** A limit of so many posts in a window, of those at `times`; null where none is set. */
export function limitOf(
  rule: Limit['rule'],
  { max, interval, unit }: Frequency,
  times: Date[],
): Limit | null {
  if (max === null || interval === null || unit === null) return null
  return { rule, max, windowMs: interval * (unit === 'hours' ? HOUR_MS : DAY_MS), times }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const formats = new Map<string, Intl.DateTimeFormat>()

/** Day of the week, hour and minute of a moment in a time zone. */
function wallClock(moment: Date, timeZone: string): { day: number; hour: number; minute: number } {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  return {
    day: WEEKDAYS.indexOf(parts.weekday ?? ''),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
  }
}

/** Clocks change by quarters of an hour at least, and at one: Chatham’s at 2:45. */
const STEP_MINUTES = 15

/** The first whole minute from `from` on that lies in the rhythm; steps so short that clock changes need no rule. */
export function nextInRhythm(from: Date, { timeZone, days, hours }: Rhythm): Date | null {
  let time = Math.ceil(from.getTime() / MINUTE_MS) * MINUTE_MS
  // A clock change can leave out the only hour of a week.
  const end = time + 15 * DAY_MS
  while (time <= end) {
    const { day, hour, minute } = wallClock(new Date(time), timeZone)
    if (days.includes(day) && hours.includes(hour)) return new Date(time)
    time += (STEP_MINUTES - (minute % STEP_MINUTES)) * MINUTE_MS
  }
  return null
}

/** Whether one more post at `time` keeps a limit. */
export function keepsLimit(time: Date, { max, windowMs, times }: Limit): boolean {
  const at = time.getTime()
  const near = times.map((each) => each.getTime()).filter((each) => Math.abs(each - at) < windowMs)
  if (near.length < max) return true
  const sorted = [...near, at].sort((a, b) => a - b)
  return sorted.every((first, index) => {
    const last = sorted[index + max]
    return last === undefined || last - first >= windowMs
  })
}

/** The first moment from `from` on that keeps a limit: that moment, or where a window of the posts there ends. */
function nextWithin(from: Date, limit: Limit): Date {
  const ends = limit.times
    .map((time) => time.getTime() + limit.windowMs)
    .filter((time) => time > from.getTime())
    .sort((a, b) => a - b)
  const found = [from.getTime(), ...ends].find((time) => keepsLimit(new Date(time), limit))
  return new Date(found ?? (ends.at(-1) as number))
}

/** The first moment from `from` on that is a gap away from all of these, which are in order. */
function nextApart(from: Date, taken: readonly Date[], gapMs: number): Date {
  const free = taken.reduce((time, at) => {
    const other = at.getTime()
    return Math.abs(time - other) < gapMs ? other + gapMs : time
  }, from.getTime())
  return new Date(free)
}

/**
 * The end of the queue: the first moment in the rhythm, a gap after `last` and away from all of `taken`, which are in
 * order, that keeps every limit; null where there is none within a year.
 */
export function endOfQueue(
  rhythm: Rhythm,
  {
    last,
    taken = [],
    limits,
    now,
  }: { last: Date | null; taken?: readonly Date[]; limits: readonly Limit[]; now: Date },
): Date | null {
  const behind = last ? last.getTime() + rhythm.gapMinutes * MINUTE_MS : 0
  let time = new Date(Math.max(behind, now.getTime() + MINUTE_MS))
  const end = time.getTime() + YEAR_MS
  while (time.getTime() <= end) {
    const slot = nextInRhythm(time, rhythm)
    if (!slot) return null
    const kept = limits.reduce(
      (latest, limit) => {
        const next = nextWithin(slot, limit)
        return next > latest ? next : latest
      },
      nextApart(slot, taken, rhythm.gapMinutes * MINUTE_MS),
    )
    if (kept.getTime() === slot.getTime()) return slot
    time = kept
  }
  return null
}

/** Facts about a subreddit, and about the person there, that decide whether a post breaks a rule. */
export type PostFacts = {
  subreddit: string
  /** Whether the item that is shown may be; what is no item of ours always `promotes`. */
  media: 'promotes' | 'deleted' | 'quarantined' | 'private'
  /** The types of posts allowed there, in the forum's words; null if unknown. Ours are always links. */
  submissionType: SubmissionType | null
  state: 'unread' | 'read' | 'private' | 'gone' | 'banned' | 'quarantined'
  verificationType: 'required' | 'other' | 'unset' | 'unknown'
  isVerified: boolean
  closed: { message: string } | null
  requirements: PostRequirements | null
  /** Null where it isn't known what may be chosen. */
  flair: Flair[] | null
  limits: readonly Limit[]
}

export type Verdict = { rule: PostRule; message: string; suggestion: string | null }

/** The rules that a post at this time would break, most important first; `at` null leaves out limits on frequency. */
export function verdictsOf(
  post: { title: string; url: string; flairId: string | null; at: Date | null },
  facts: PostFacts,
): Verdict[] {
  const { subreddit, media, submissionType, state, closed, verificationType, isVerified, limits } = facts
  const verdicts: Verdict[] = []
  const add = (rule: PostRule, message: string, suggestion: string | null = null) =>
    verdicts.push({ rule, message, suggestion })
  if (media !== 'promotes') add('media', UNPOSTABLE[media])
  if (state === 'gone' || state === 'banned' || state === 'quarantined')
    add('subreddit', `r/${subreddit} ${UNREACHABLE[state]}.`)
  if (submissionType === 'self') add('kinds', `r/${subreddit} allows text posts only, and this is a link.`)
  if (closed) add('closed', `The forum refused this account in r/${subreddit}: ${closed.message}`)
  // The forum doesn’t say who is a member of a private one; the person’s own record does.
  if (state === 'private' && !isVerified)
    add('verification', `r/${subreddit} is private. If your account is a member, mark it as verified first.`)
  else if (verificationType === 'required' && !isVerified)
    add('verification', `r/${subreddit} requires verification first.`)
  verdicts.push(...titleVerdicts(post.title, facts.requirements))
  verdicts.push(...flairVerdicts(post.flairId, facts), ...linkVerdicts(post.url, facts.requirements))
  const { at } = post
  if (at)
    for (const limit of limits) if (!keepsLimit(at, limit)) add(limit.rule, limitMessage(limit, subreddit))
  return verdicts
}

/** Why a post of an item can't go up. */
export const UNPOSTABLE = {
  deleted: 'The media of this post was deleted.',
  quarantined: 'The media of this post was taken down.',
  private: 'The media of this post isn’t set to “Forum promotion” anymore.',
}

const UNREACHABLE = {
  gone: 'doesn’t exist anymore',
  banned: 'was closed by the forum',
  quarantined: 'is quarantined by the forum',
}

function limitMessage({ rule, max, windowMs }: Limit, subreddit: string): string {
  const window = windowMs % DAY_MS === 0 ? every(windowMs / DAY_MS, 'day') : every(windowMs / HOUR_MS, 'hour')
  if (rule === 'repost') return `r/${subreddit} allows the same picture ${times(max)} ${window}.`
  if (rule === 'frequency') return `r/${subreddit} allows ${counted(max, 'post')} ${window}.`
  const minutes = windowMs / MINUTE_MS
  return `Your queue needs ${counted(minutes, 'minute')} between posts of the same picture.`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
/** `every day`, `every 2 days`. */
const every = (count: number, word: string) => `every ${count === 1 ? word : counted(count, word)}`
const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

function titleVerdicts(title: string, requirements: PostRequirements | null): Verdict[] {
  if (!requirements) return []
  const broken = brokenInTitle(title, requirements)
  if (broken.length === 0) return []
  const suggestion = suggestTitle(title, requirements)
  return broken.map(({ rule, message }) => ({ rule, message, suggestion }))
}

function brokenInTitle(title: string, requirements: PostRequirements): { rule: PostRule; message: string }[] {
  const {
    title_text_min_length: min,
    title_text_max_length: max,
    title_blacklisted_strings: forbidden,
    title_required_strings: required,
  } = requirements
  const lower = title.toLowerCase()
  const word = forbidden.find((each) => each !== '' && lower.includes(each.toLowerCase()))
  const broken: { rule: PostRule; message: string }[] = []
  if (min !== null && title.length < min)
    broken.push({ rule: 'title-short', message: `The title needs at least ${counted(min, 'character')}.` })
  if (max !== null && title.length > max)
    broken.push({ rule: 'title-long', message: `The title can have ${counted(max, 'character')} at most.` })
  if (word !== undefined)
    broken.push({ rule: 'title-forbidden', message: `The title can’t contain “${word}”.` })
  if (required.length > 0 && !required.some((each) => lower.includes(each.toLowerCase())))
    broken.push({
      rule: 'title-required',
      message: `The title needs ${required.length === 1 ? '' : 'one of '}${required.map((each) => `“${each}”`).join(', ')}.`,
    })
  return broken
}

const LONGEST_TITLE = 300

/** A title close to this one that keeps what is required of it; null where that takes a person. */
export function suggestTitle(title: string, requirements: PostRequirements): string | null {
  const { title_blacklisted_strings: forbidden, title_required_strings: required } = requirements
  let better = forbidden.reduce((text, word) => (word === '' ? text : without(text, word)), title)
  better = better.replace(/\s+/g, ' ').trim()
  const [first] = required
  const hasRequired = required.some((each) => better.toLowerCase().includes(each.toLowerCase()))
  const ending = first === undefined || hasRequired ? '' : ` ${first}`
  const max = Math.min(requirements.title_text_max_length ?? LONGEST_TITLE, LONGEST_TITLE)
  if (better.length + ending.length > max) better = shortened(better, max - ending.length)
  better = `${better}${ending}`.trim()
  return better !== '' && better !== title && brokenInTitle(better, requirements).length === 0 ? better : null
}

function without(text: string, word: string): string {
  // Not by the places that small letters have: some capitals become two.
  const pattern = new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const left = text.replace(pattern, '')
  return left === text ? text : without(left, word)
}

/** Cut at a word, as long as that leaves more than half. */
function shortened(text: string, max: number): string {
  const cut = text.slice(0, Math.max(max, 0)).replace(/\p{Surrogate}$/u, '')
  const space = cut.lastIndexOf(' ')
  return (space > max / 2 ? cut.slice(0, space) : cut).trim()
}

function flairVerdicts(flairId: string | null, { requirements, flair, subreddit }: PostFacts): Verdict[] {
  if (flairId === null) {
    if (!requirements?.is_flair_required) return []
    return [{ rule: 'flair', message: `Choose a flair: r/${subreddit} requires one.`, suggestion: null }]
  }
  if (!flair || flair.some(({ id }) => id === flairId)) return []
  return [{ rule: 'flair', message: `r/${subreddit} doesn’t offer this flair anymore.`, suggestion: null }]
}

/** The requirements of a subreddit that a link breaks. */
export function linkVerdicts(url: string, requirements: PostRequirements | null): Verdict[] {
  if (!requirements) return []
  const { link_restriction_policy: policy, domain_whitelist, domain_blacklist } = requirements
  const host = new URL(url).hostname.toLowerCase()
  const isOn = (domains: string[]) =>
    domains.some((domain) => host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`))
  const site = host.replace(/^www\./, '')
  const refused =
    (policy === 'whitelist' && !isOn(domain_whitelist)) || (policy === 'blacklist' && isOn(domain_blacklist))
  return refused
    ? [{ rule: 'link', message: `Links to ${site} aren’t allowed there.`, suggestion: null }]
    : []
}

/** Titles in the order in which they go up: as they stand, or, where they are compared, the least used first. */
export function inTurn(
  titles: readonly string[],
  uses: Readonly<Record<string, number>> | null,
): readonly string[] {
  return uses ? titles.toSorted((one, other) => (uses[one] ?? 0) - (uses[other] ?? 0)) : titles
}

/** The state that an item had before it was taken off the timeline. */
export function stateBefore(
  { failure, by_hand, post_at }: { failure: SubmissionFailure | null; by_hand: boolean; post_at: Date },
  now: Date,
): 'scheduled' | 'waiting' | 'failed' | 'unknown' {
  if (failure) return failure.code === UNCONFIRMED.code ? 'unknown' : 'failed'
  return by_hand && post_at <= now ? 'waiting' : 'scheduled'
}

/** The code of what waits for an account that was disconnected. */
export const DISCONNECTED = 'disconnected'

/** Why what an account was to post waits, once it is disconnected; without its name where that is gone with it. */
export const disconnectedFailure = (name?: string): SubmissionFailure => ({
  code: DISCONNECTED,
  message: `${name ? `u/${name}` : 'Its account'} was disconnected. Connect it again, or choose another account.`,
  remedy: 'reconnect',
})

/** Why a first comment waits, once the account that posted is disconnected. */
export const disconnectedComment = (name?: string): SubmissionFailure => ({
  code: DISCONNECTED,
  message: `${name ? `u/${name}` : 'Its account'} was disconnected. Once you connect it again, we’ll post the comment.`,
  remedy: 'reconnect',
})
