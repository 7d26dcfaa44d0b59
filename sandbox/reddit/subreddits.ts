import {
  allSubreddits,
  type Forum,
  findSubreddit,
  isRelated,
  type Relation,
  type Subreddit,
} from './store.ts'
import {
  type Answer,
  type Call,
  created,
  failure,
  isTrue,
  listing,
  ok,
  type Thing,
  type UserCall,
} from './wire.ts'

/** Whether an account may see a private subreddit; nobody in particular may not. */
export const isMember = (forum: Forum, account: Call['account'], name: string): boolean =>
  account !== null &&
  (['contributor', 'moderator'] as const).some((kind) => isRelated(forum, account.name, name, kind))

/** The t5 as this account sees it; of a private one little more than its name. */
export function subredditThing(
  { forum, account }: Pick<Call, 'forum' | 'account'>,
  subreddit: Subreddit,
): Thing {
  const { id, name } = subreddit
  const base = {
    id,
    name: `t5_${id}`,
    display_name: name,
    display_name_prefixed: `r/${name}`,
    url: `/r/${name}/`,
    subreddit_type: subreddit.type,
  }
  const is = (kind: Relation) => (account ? isRelated(forum, account.name, name, kind) : null)
  const isHidden = subreddit.type === 'private' && !isMember(forum, account, name)
  const details = {
    title: subreddit.title,
    public_description: subreddit.description,
    description: subreddit.description,
    submit_text: '',
    subscribers: subreddit.subscribers,
    active_user_count: Math.ceil(subreddit.subscribers / 900),
    accounts_active: Math.ceil(subreddit.subscribers / 900),
    over18: subreddit.over18,
    quarantine: subreddit.access === 'quarantined',
    submission_type: subreddit.submissionType,
    submit_link_label: '',
    submit_text_label: '',
    allow_images: true,
    allow_videos: true,
    allow_videogifs: true,
    allow_galleries: true,
    allow_polls: false,
    spoilers_enabled: true,
    restrict_posting: true,
    restrict_commenting: false,
    link_flair_enabled: subreddit.flair === null || subreddit.flair.length > 0,
    can_assign_link_flair: subreddit.flair !== null,
    link_flair_position: 'left',
    user_is_banned: is('banned'),
    user_is_contributor: is('contributor'),
    user_is_moderator: is('moderator'),
    user_is_muted: account ? false : null,
    user_is_subscriber: is('subscriber'),
    icon_img: '',
    community_icon: '',
    banner_img: '',
    primary_color: '',
    key_color: '',
    lang: 'en',
    wiki_enabled: null,
    whitelist_status: null,
    wls: null,
    advertiser_category: '',
    suggested_comment_sort: null,
    ...created(subreddit.createdAt),
  }
  const nothing = Object.fromEntries(Object.keys(details).map((key) => [key, null]))
  return { kind: 't5', data: { ...base, ...(isHidden ? nothing : details) } }
}

/** The subreddit of the path, or why this account can't see it. */
export function accessible(call: Call): { subreddit: Subreddit } | { refusal: Answer } {
  const name = call.params.sr ?? ''
  if (!/^\w{2,24}$/.test(name))
    return { refusal: { status: 404, html: true, body: '<!doctype html><title>Page not found</title>' } }
  if (['all', 'popular'].includes(name.toLowerCase())) return { refusal: failure(404) }
  const subreddit = findSubreddit(call.forum, name)
  if (!subreddit || subreddit.access === 'gone')
    return {
      refusal: {
        status: 302,
        body: undefined,
        headers: { location: `${call.prefix}/subreddits/search?q=${name}` },
      },
    }
  if (subreddit.access === 'banned') return { refusal: failure(404, { reason: 'banned' }) }
  if (subreddit.access === 'quarantined')
    return {
      refusal: failure(403, { reason: 'quarantined', quarantine_message: 'This subreddit is quarantined.' }),
    }
  if (subreddit.type === 'private' && !isMember(call.forum, call.account, name))
    return { refusal: failure(403, { reason: 'private' }) }
  return { subreddit }
}

export function about(call: Call): Answer {
  const found = accessible(call)
  return 'refusal' in found ? found.refusal : ok(subredditThing(call, found.subreddit))
}

export function rules(call: Call): Answer {
  const found = accessible(call)
  if ('refusal' in found) return found.refusal
  const { subreddit } = found
  return ok({
    rules: subreddit.rules.map(({ name, description, kind }, priority) => ({
      kind,
      short_name: name,
      description,
      ...(description === '' ? {} : { description_html: `<div class="md"><p>${description}</p></div>` }),
      violation_reason: name,
      created_utc: created(subreddit.createdAt).created_utc,
      priority,
    })),
    site_rules: ['Spam', 'Personal information'],
    site_rules_flow: [{ reasonTextToShow: 'It is spam', reasonText: 'spam' }],
  })
}

export function postRequirements(call: Call): Answer {
  const found = accessible(call)
  if (!('refusal' in found)) return ok(found.subreddit.requirements)
  const [status, reason] =
    found.refusal.status === 403 ? [403, 'SUBREDDIT_NO_ACCESS'] : [404, 'SUBREDDIT_NOEXIST']
  return failure(Number(status), { explanation: 'This subreddit can’t be opened.', reason })
}

/** How well a subreddit fits the words; 0 when it doesn't. */
function relevance({ name, title, description }: Subreddit, query: string): number {
  const wanted = query.toLowerCase().replace(/^\/?r\//, '')
  if (name.toLowerCase() === wanted) return 4
  if (name.toLowerCase().startsWith(wanted)) return 3
  const text = `${name} ${title} ${description}`.toLowerCase()
  return wanted.split(/\s+/).every((word) => text.includes(word)) ? 1 : 0
}

function matches(forum: Forum, query: string): Subreddit[] {
  return allSubreddits(forum)
    .map((subreddit) => ({ subreddit, fit: relevance(subreddit, query) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit || other.subreddit.subscribers - one.subreddit.subscribers)
    .map(({ subreddit }) => subreddit)
}

export function search(call: Call): Answer {
  const { forum, fields } = call
  const query = (fields.q ?? '').trim()
  if (query === '') return ok('{}')
  const found = matches(forum, query).filter(({ over18 }) => !over18 || !isTrue(fields.obey_over18))
  const open = new Set(found.filter(({ access }) => access === 'open').map(({ id }) => `t5_${id}`))
  return listing(
    found.map((subreddit) => subredditThing(call, subreddit)),
    fields,
    { isShown: ({ data }) => open.has(data.name) },
  )
}

export function searchNames({ forum, fields }: Call): Answer {
  const query = fields.query ?? ''
  const names = matches(forum, query)
    .filter(({ access, name }) => access === 'open' && name.toLowerCase().startsWith(query.toLowerCase()))
    .map(({ name }) => name)
  if (!isTrue(fields.exact)) return ok({ names: names.slice(0, 10) })
  const exact = names.filter((name) => name.toLowerCase() === query.toLowerCase())
  return exact.length > 0 ? ok({ names: exact }) : failure(404)
}

/** Subreddits of which the caller is subscriber, contributor or moderator. */
export function mine(call: UserCall): Answer {
  const where = call.params.where
  if (where !== 'subscriber' && where !== 'contributor' && where !== 'moderator') return failure(404)
  const rows = allSubreddits(call.forum).filter(({ name }) =>
    isRelated(call.forum, call.account.name, name, where),
  )
  return listing(
    rows.map((subreddit) => subredditThing(call, subreddit)),
    call.fields,
  )
}

/** Up to 100 t5 by name, private ones with little in them; unknown ones are left out. */
export function subredditsByName(call: Call, names: string): Thing[] {
  return names
    .split(',')
    .slice(0, 100)
    .flatMap((name) => findSubreddit(call.forum, name.trim()) ?? [])
    .filter(({ access }) => access === 'open')
    .map((subreddit) => subredditThing(call, subreddit))
}
