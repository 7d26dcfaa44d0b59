import { chosenFlair } from './flair.ts'
import { postingWait, waitRefusal } from './limits.ts'
import { permalink } from './posts.ts'
import type { Requirements } from './seed.ts'
import { findSubreddit, isRelated, readSetting, type Subreddit } from './store.ts'
import {
  type Answer,
  done,
  failure,
  fullname,
  id36,
  isTrue,
  type Refusal,
  refused,
  type UserCall,
} from './wire.ts'

/** The effect of a title: the post goes up, and a minute later it's removed by this. */
const REMOVED_BY_TITLE: [word: string, removal: string][] = [
  ['[remove]', 'automod_filtered'],
  ['[filter]', 'reddit'],
  ['[moderator]', 'moderator'],
]
const REMOVAL_DELAY_MS = 60_000
const DAY_MS = 86_400_000
const NATIVE_MEDIA = ['image', 'video', 'videogif']

type Wanted = {
  kind: string
  title: string
  url: string
  text: string
  flairId: string | null
  flairText: string | null
}

/** `POST /api/submit`: checks in the order of the forum, then the post. */
export function submit(call: UserCall): Answer {
  const { forum, fields, account } = call
  const kind = fields.kind || 'link'
  const title = (fields.title ?? '').replace(/\s+/g, ' ').trim()
  const name = (fields.sr ?? '').replace(/^\/?r\//, '').replace(/\/$/, '')
  const subreddit = findSubreddit(forum, name)
  if (account.suspended) return refused([['IN_TIMEOUT', 'This account is suspended.', null]])
  const refusal =
    placeRefusal(call, kind, name, subreddit) ??
    (title === '' ? refusalOf('NO_TEXT', 'A title is needed.', 'title') : null) ??
    (title.length > 300 ? refusalOf('TOO_LONG', 'This is too long (max: 300).', 'title') : null)
  if (refusal || !subreddit) return refused(refusal ? [refusal] : [])
  const wait = postingWait(forum, account)
  if (wait > 0) return waitRefusal(wait)

  if (fields.flair_text && !fields.flair_id) return failure(400, { reason: 'BAD_FLAIR_TEMPLATE_ID' })
  const flairId = fields.flair_id || null
  const flairText = flairId === null ? null : chosenFlair(call, name, flairId, fields.flair_text)
  const wanted: Wanted = { kind, title, url: fields.url ?? '', text: fields.text ?? '', flairId, flairText }
  const contentRefusal = linkRefusal(call, wanted, subreddit) ?? textRefusal(wanted)
  if (contentRefusal) return refused([contentRefusal])
  const errors = requirementRefusals(call, wanted, subreddit)
  const [first] = errors
  if (first && readSetting(forum, 'requirementErrors') === 'status')
    return failure(400, {
      ...(first[2] === null ? {} : { fields: [first[2]] }),
      explanation: first[1],
      error_type: 'SUBMIT_VALIDATION_ERROR',
      reason: first[0],
    })
  return first ? refused(errors) : insert(call, wanted, subreddit)
}

const refusalOf = (code: string, message: string, field: string): Refusal => [code, message, field]

function placeRefusal(
  call: UserCall,
  kind: string,
  name: string,
  subreddit: Subreddit | null,
): Refusal | null {
  const { forum, account } = call
  if (!['link', 'self', 'crosspost', ...NATIVE_MEDIA].includes(kind))
    return ['INVALID_OPTION', 'That option isn’t valid.', 'kind']
  if (kind === 'crosspost')
    return ['INVALID_CROSSPOST_THING', 'That can’t be crossposted.', 'crosspost_thing']
  if (name === '') return ['SUBREDDIT_REQUIRED', 'A subreddit is needed.', 'sr']
  if (!/^\w{2,24}$/.test(name)) return ['BAD_SR_NAME', 'That name can’t be one of a subreddit.', 'sr']
  if (!subreddit || subreddit.access === 'gone' || subreddit.access === 'banned')
    return ['SUBREDDIT_NOEXIST', 'That subreddit doesn’t exist.', 'sr']
  if (isRelated(forum, account.name, name, 'banned'))
    return ['SUBREDDIT_NOTALLOWED_BANNED', 'You’ve been banned from this subreddit.', 'sr']
  const isTrusted = (['contributor', 'moderator'] as const).some((as) =>
    isRelated(forum, account.name, name, as),
  )
  if ((subreddit.type !== 'public' && !isTrusted) || subreddit.access === 'quarantined')
    return ['SUBREDDIT_NOTALLOWED', 'This subreddit only allows trusted members to post.', 'sr']
  if (NATIVE_MEDIA.includes(kind))
    return subreddit.over18
      ? ['SUBREDDIT_NOTALLOWED', 'Uploads aren’t allowed in this subreddit.', 'sr']
      : [kind === 'image' ? 'NO_IMAGES' : 'NO_VIDEOS', 'This subreddit doesn’t allow uploads.', 'sr']
  if (kind === 'self' && subreddit.submissionType === 'link')
    return ['NO_SELFS', 'This subreddit doesn’t allow text posts.', 'sr']
  if (kind === 'link' && subreddit.submissionType === 'self')
    return ['NO_LINKS', 'This subreddit only allows text posts.', 'sr']
  return null
}

function linkRefusal(
  { forum, fields }: UserCall,
  { kind, url }: Wanted,
  { name }: Subreddit,
): Refusal | null {
  if (kind === 'self') return url === '' ? null : ['INVALID_SELFPOST', 'A text post has no link.', 'text']
  if (url === '') return ['NO_URL', 'A link is needed.', 'url']
  // A product that runs locally posts links to its own pages.
  if (!/^https?:\/\/([^/\s]+\.[^/\s]+|localhost[:/])/i.test(url) || !URL.canParse(url))
    return ['BAD_URL', 'That isn’t a link.', 'url']
  if (isTrue(fields.resubmit)) return null
  const isThere = forum.db
    .prepare('select 1 from posts where subreddit = ? and url = ? and isSelf = 0 and deletedAt is null')
    .get(name, url)
  return isThere ? ['ALREADY_SUB', 'That link has already been submitted.', 'url'] : null
}

const textRefusal = ({ text }: Wanted): Refusal | null =>
  text.length > 40_000 ? ['TOO_LONG', 'This is too long (max: 40000).', 'text'] : null

/** Everything in which the post fails the subreddit's own requirements. */
function requirementRefusals(call: UserCall, wanted: Wanted, { name, requirements }: Subreddit): Refusal[] {
  const { title, text, kind, flairId, flairText } = wanted
  const errors: Refusal[] = []
  if (flairId !== null && flairText === null)
    errors.push(['BAD_FLAIR_TEMPLATE_ID', 'That flair isn’t available.', 'flair'])
  if (requirements.is_flair_required && flairId === null)
    errors.push(['SUBMIT_VALIDATION_FLAIR_REQUIRED', 'Your post must have flair.', 'flair'])
  errors.push(...wordRefusals('title', title, requirements))
  if (kind === 'self') {
    if (requirements.body_restriction_policy === 'required' && text.trim() === '')
      errors.push(['SUBMIT_VALIDATION_BODY_REQUIRED', 'Your post must have a body.', 'body'])
    if (requirements.body_restriction_policy === 'notAllowed' && text.trim() !== '')
      errors.push(['SUBMIT_VALIDATION_BODY_NOT_ALLOWED', 'Your post can’t have a body.', 'body'])
    if (text.trim() !== '') errors.push(...wordRefusals('body', text, requirements))
  } else errors.push(...linkRequirementRefusals(call, wanted, name, requirements))
  return errors
}

function wordRefusals(field: 'title' | 'body', text: string, requirements: Requirements): Refusal[] {
  const errors: Refusal[] = []
  const lower = text.toLowerCase()
  const code = (rest: string) => `SUBMIT_VALIDATION_${field.toUpperCase()}_${rest}`
  const min = requirements[`${field}_text_min_length`]
  const max = requirements[`${field}_text_max_length`]
  const required = requirements[`${field}_required_strings`]
  const patterns = requirements[`${field}_regexes`]
  const forbidden = requirements[`${field}_blacklisted_strings`].find((word) =>
    lower.includes(word.toLowerCase()),
  )
  if (min !== null && text.length < min)
    errors.push([
      'SUBMIT_VALIDATION_MIN_LENGTH',
      `Your ${field} must have at least ${min} characters.`,
      field,
    ])
  if (max !== null && text.length > max)
    errors.push(['SUBMIT_VALIDATION_MAX_LENGTH', `Your ${field} can have at most ${max} characters.`, field])
  if (forbidden)
    errors.push([code('BLACKLISTED_STRING'), `Your ${field} can’t contain “${forbidden}”.`, field])
  if (required.length > 0 && !required.some((word) => lower.includes(word.toLowerCase())))
    errors.push([code('REQUIREMENT'), `Your ${field} must contain one of: ${required.join(', ')}`, field])
  if (patterns.length > 0 && !patterns.some((pattern) => isMatch(pattern, text)))
    errors.push([code('REGEX_REQUIREMENT'), `Your ${field} must match the subreddit’s pattern.`, field])
  return errors
}

/** A pattern that doesn't compile can't be checked. */
function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return true
  }
}

function linkRequirementRefusals(
  { forum }: UserCall,
  { url }: Wanted,
  name: string,
  requirements: Requirements,
): Refusal[] {
  const host = new URL(url).hostname.toLowerCase()
  const isOn = (domains: string[]) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
  const {
    link_restriction_policy: policy,
    domain_whitelist: approved,
    domain_blacklist: blocked,
  } = requirements
  const errors: Refusal[] = []
  if (policy === 'whitelist' && !isOn(approved))
    errors.push(['SUBMIT_VALIDATION_LINK_WHITELIST', `Links must be from: ${approved.join(', ')}`, 'link'])
  if (policy === 'blacklist' && isOn(blocked))
    errors.push(['SUBMIT_VALIDATION_LINK_BLACKLIST', 'Links from this domain aren’t allowed.', 'link'])
  const days = requirements.link_repost_age
  if (days === null) return errors
  const since = forum.now().getTime() - days * DAY_MS
  const isRepeated = forum.db
    .prepare('select 1 from posts where subreddit = ? and url = ? and createdAt > ? and deletedAt is null')
    .get(name, url, since)
  if (isRepeated)
    errors.push(['SUBMIT_VALIDATION_REPOST', `This link was posted within the last ${days} days.`, 'link'])
  return errors
}

function insert({ forum, fields, account }: UserCall, wanted: Wanted, { name }: Subreddit): Answer {
  const at = forum.now().getTime()
  const removed = REMOVED_BY_TITLE.find(([word]) => wanted.title.toLowerCase().includes(word))?.[1] ?? null
  const { lastInsertRowid } = forum.db
    .prepare(
      `insert into posts (subreddit, author, title, url, text, isSelf, flairId, flairText, nsfw, spoiler, createdAt, removed, removedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...[name, account.name, wanted.title, wanted.url, wanted.text, wanted.kind === 'self' ? 1 : 0],
      ...[wanted.flairId, wanted.flairText, isTrue(fields.nsfw) ? 1 : 0, isTrue(fields.spoiler) ? 1 : 0, at],
      ...[removed, removed === null ? null : at + REMOVAL_DELAY_MS],
    )
  forum.db.prepare('update accounts set lastPostAt = ? where id = ?').run(at, account.id)
  const id = Number(lastInsertRowid)
  const url = `https://www.reddit.com${permalink({ id, subreddit: name, title: wanted.title })}`
  return done({ url, drafts_count: 0, id: id36(id), name: fullname('t3', id) })
}
