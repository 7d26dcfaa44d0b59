/** One subreddit as the forum keeps it; what it demands of posts is under the wire's own names. */
export type SubredditData = {
  name: string
  title: string
  description: string
  subscribers: number
  over18: boolean
  type: 'public' | 'restricted' | 'private'
  /** `banned` and `gone` answer as if it weren't there; `quarantined` needs an opt-in that nobody has. */
  access: 'open' | 'banned' | 'gone' | 'quarantined'
  submissionType: 'any' | 'link' | 'self'
  createdAt: number
  rules: { name: string; description: string; kind: 'all' | 'link' | 'comment' }[]
  /** Null where people can't choose any. */
  flair: FlairTemplate[] | null
  requirements: Requirements
}

export type FlairTemplate = {
  id: string
  text: string
  editable: boolean
  modOnly: boolean
  richtext: boolean
}

export type Requirements = {
  title_regexes: string[]
  title_required_strings: string[]
  title_blacklisted_strings: string[]
  title_text_min_length: number | null
  title_text_max_length: number | null
  body_restriction_policy: 'required' | 'notAllowed' | 'none'
  body_regexes: string[]
  body_required_strings: string[]
  body_blacklisted_strings: string[]
  body_text_min_length: number | null
  body_text_max_length: number | null
  domain_blacklist: string[]
  domain_whitelist: string[]
  link_restriction_policy: 'none' | 'blacklist' | 'whitelist'
  link_repost_age: number | null
  is_flair_required: boolean
  guidelines_text: string | null
  guidelines_display_policy: string | null
  gallery_min_items: number | null
  gallery_max_items: number | null
  gallery_captions_requirement: 'none'
  gallery_urls_requirement: 'none'
}

const NO_REQUIREMENTS: Requirements = {
  title_regexes: [],
  title_required_strings: [],
  title_blacklisted_strings: [],
  title_text_min_length: null,
  title_text_max_length: null,
  body_restriction_policy: 'none',
  body_regexes: [],
  body_required_strings: [],
  body_blacklisted_strings: [],
  body_text_min_length: null,
  body_text_max_length: null,
  domain_blacklist: [],
  domain_whitelist: [],
  link_restriction_policy: 'none',
  link_repost_age: null,
  is_flair_required: false,
  guidelines_text: null,
  guidelines_display_policy: null,
  gallery_min_items: null,
  gallery_max_items: null,
  gallery_captions_requirement: 'none',
  gallery_urls_requirement: 'none',
}

const ADJECTIVES = [
  ...[
    'Cozy',
    'Quiet',
    'Golden',
    'Morning',
    'Evening',
    'Slow',
    'Old',
    'Little',
    'Bright',
    'Misty',
    'Urban',
    'Coastal',
  ],
  ...['Northern', 'Handmade', 'Vintage', 'Tiny', 'Winter', 'Summer', 'Hidden', 'Paper', 'Wild', 'Gentle'],
]
const NOUNS = [
  ...[
    'Gardens',
    'Kitchens',
    'Portraits',
    'Crafts',
    'Teapots',
    'Bicycles',
    'Lanterns',
    'Balconies',
    'Sweaters',
  ],
  ...['Trails', 'Bakers', 'Photos', 'Windows', 'Rivers', 'Bookshelves'],
]

const RULES = [
  ['Be kind', 'Talk to people the way you would in person.'],
  ['Own work only', 'Post what you made yourself. Reposts are removed.'],
  ['One post a day', 'At most one post every 24 hours for each account.'],
  ['No sales in titles', 'Prices and offers don’t belong in a title.'],
  ['Describe what we see', 'A title says what is in the picture.'],
  ['No watermarks', 'Pictures with a watermark are removed. Your username is fine.'],
  ['Reposts after a month', 'The same picture may be posted again after 30 days.'],
  ['Stay on topic', 'Everything posted here is about our subject.'],
  ['Comments are welcome', 'Answer the first people who comment on your post.'],
] as const

const VERIFICATION = {
  name: 'Verify before your first post',
  description:
    'Accounts must be verified. Send the moderators a photo of you holding a handwritten sign. The sign shows your username and the name of this subreddit. Write the date of the day on it. The photo must be unedited.',
}

const FLAIR = ['Original', 'Question', 'First post', 'Weekend', 'Show and tell', 'Moderators']

/** All subreddits that the forum has at first: the fixed ones, and some hundred made of words, always the same. */
export function seededSubreddits(): SubredditData[] {
  const made = ADJECTIVES.flatMap((adjective, first) =>
    NOUNS.map((noun, second) =>
      madeUp(`${adjective}${noun}`, adjective, noun, first * NOUNS.length + second),
    ),
  )
  return [...FIXED, ...made]
}

const BORN = Date.UTC(2016, 0, 1)
const DAY_MS = 86_400_000

function madeUp(name: string, adjective: string, noun: string, index: number): SubredditData {
  const turn = (every: number, at = 0) => index % every === at
  const rules = RULES.filter((_, rule) => (index + rule * 3) % 4 < index % 5).map(([title, description]) => ({
    ...{ name: title, description, kind: 'all' as const },
  }))
  return {
    name,
    title: `${adjective} ${noun.toLowerCase()}`,
    description: `People who share ${adjective.toLowerCase()} ${noun.toLowerCase()}, with pictures and a few words.`,
    // From small to large, without an order that could be guessed.
    subscribers: 40 + ((index * 7_919) % 997) ** 2 * (turn(7) ? 3 : 1),
    over18: turn(2),
    type: turn(41, 5) ? 'restricted' : turn(83, 9) ? 'private' : 'public',
    access: turn(109, 13) ? 'banned' : turn(127, 17) ? 'quarantined' : 'open',
    submissionType: turn(9, 2) ? 'link' : turn(23, 4) ? 'self' : 'any',
    createdAt: BORN + ((index * 37) % 3000) * DAY_MS,
    rules: turn(3) ? [{ ...VERIFICATION, kind: 'all' }, ...rules] : rules,
    flair: turn(11, 6) ? null : turn(4, 3) ? [] : flairOf(name, 2 + (index % 5)),
    requirements: requirementsOf(index),
  }
}

function flairOf(name: string, count: number): FlairTemplate[] {
  return FLAIR.slice(0, count).map((text, place) => ({
    id: flairId(name, place),
    text,
    editable: place === 1,
    modOnly: text === 'Moderators',
    richtext: place === 2,
  }))
}

/** An id in the form of the wire's, always the same for the same template. */
function flairId(name: string, place: number): string {
  const hex = Buffer.from(name.padEnd(12, 'x')).toString('hex').slice(0, 24)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 24)}00000${place}`
}

function requirementsOf(index: number): Requirements {
  const turn = (every: number, at = 0) => index % every === at
  const flairThere = !turn(11, 6) && !turn(4, 3)
  return {
    ...NO_REQUIREMENTS,
    ...(turn(5, 1) ? { title_text_min_length: 10, title_text_max_length: 120 } : {}),
    ...(turn(7, 3) ? { title_required_strings: ['[OC]', '[Photo]'] } : {}),
    ...(turn(6, 2) ? { title_blacklisted_strings: ['free trial', 'discount'] } : {}),
    ...(turn(29, 8) ? { title_regexes: ['^[A-Z0-9\\[].*'] } : {}),
    ...(turn(13, 5) ? { body_blacklisted_strings: ['follow me'] } : {}),
    ...(turn(31, 7)
      ? { body_restriction_policy: 'required' as const, body_text_min_length: 20, body_text_max_length: 4000 }
      : {}),
    ...(turn(8, 4)
      ? { link_restriction_policy: 'whitelist' as const, domain_whitelist: ['redgifs.com'] }
      : {}),
    ...(turn(19, 6)
      ? { link_restriction_policy: 'blacklist' as const, domain_blacklist: ['short.example'] }
      : {}),
    ...(turn(10, 7) ? { link_repost_age: 30 } : {}),
    ...(turn(6, 5) && flairThere ? { is_flair_required: true } : {}),
    ...(turn(37, 3) ? { body_required_strings: ['camera'], body_regexes: ['[.!?]'] } : {}),
    ...(turn(43, 6) ? { gallery_min_items: 2, gallery_max_items: 10 } : {}),
    ...(turn(17, 1) ? { guidelines_text: 'Read the rules first.', guidelines_display_policy: 'always' } : {}),
  }
}

const fixed = (name: string, description: string, more: Partial<SubredditData>): SubredditData => ({
  name,
  title: name,
  description,
  subscribers: 120_000,
  over18: true,
  type: 'public',
  access: 'open',
  submissionType: 'any',
  createdAt: BORN,
  rules: [],
  flair: [],
  requirements: NO_REQUIREMENTS,
  ...more,
})

/** Those that tests and people who try things can count on; the README lists them. */
const FIXED: readonly SubredditData[] = [
  fixed('Gardens', 'Gardens of all sizes, and the people in them.', {
    subscribers: 1_250_000,
    rules: [
      { name: 'Be kind', description: 'Talk to people the way you would in person.', kind: 'all' },
      { ...VERIFICATION, kind: 'all' },
      {
        name: 'One post a day',
        description: 'At most one post every 24 hours for each account.',
        kind: 'link',
      },
    ],
    flair: flairOf('Gardens', 4),
    requirements: {
      ...NO_REQUIREMENTS,
      title_text_min_length: 10,
      title_required_strings: ['[OC]'],
      title_blacklisted_strings: ['free trial'],
      is_flair_required: true,
    },
  }),
  fixed('Ceramics', 'Bowls, cups, and kilns.', {
    subscribers: 340_000,
    submissionType: 'link',
    requirements: {
      ...NO_REQUIREMENTS,
      link_restriction_policy: 'whitelist',
      domain_whitelist: ['redgifs.com'],
      link_repost_age: 30,
    },
  }),
  fixed('QuietCorner', 'For members.', { type: 'private', subscribers: 900 }),
  fixed('OldMill', 'Closed.', { access: 'banned' }),
  fixed('PaperBoats', 'Boats made of paper.', { flair: null, subscribers: 8_400 }),
  fixed('SlowBread', 'Bread that takes its time.', { submissionType: 'self', subscribers: 56_000 }),
  fixed('Lanterns', 'Light in the dark.', { subscribers: 21_000 }),
]
