import { z } from 'zod'
import { MAX_PROFILE_LINKS } from '../constants.ts'
import { COUNTRY_CODES } from '../countries.ts'
import { route } from '../route.ts'
import { Id, line, listOf, Page, paragraph, Success } from '../schemas.ts'
import { US_STATES } from '../states.ts'
import { Email, ForumUsername, Username } from './identity.ts'

/** A person as others see them: no e-mail, no last name, no forum account. */
export const PublicProfile = z.object({
  _id: Id,
  username: z.string(),
  firstName: z.string(),
  isCreator: z.boolean(),
  bio: z.string(),
  profileImage: z.string().nullable(),
  profileHeroImage: z.string().nullable(),
  menu: z.string(),
  limits: z.string(),
  links: z.array(z.object({ _id: z.string(), text: z.string(), link: z.string() })),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** That the viewer blocked them; told to nobody else. */
  blocked: z.literal(true).optional(),
})

/** A person in a list: never more than this, whoever asks (decisions §3). */
const Listed = z.object({
  _id: Id,
  username: z.string(),
  profileImage: z.string().nullable(),
  isCreator: z.boolean(),
})

/** One link of a profile; `_id` is made anew by each save. */
const Link = z.object({
  _id: z.string().max(60).optional(),
  text: line(60).pipe(z.string().min(1, 'Each link needs both text and URL.')),
  link: line(500)
    .pipe(z.string().min(1, 'Each link needs both text and URL.'))
    .refine(isWebAddress, 'Enter an address that starts with https:// or http://'),
})

/** True for addresses of the web; `javascript:` and the like are none. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}

/** The links as the multipart field carries them: JSON text. */
const Links = z
  .string()
  .max(10_000)
  .transform((text, issues): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      issues.addIssue({ code: 'custom', message: 'The links could not be read.' })
      return z.NEVER
    }
  })
  .pipe(z.array(Link).max(MAX_PROFILE_LINKS, `At most ${MAX_PROFILE_LINKS} links.`))

/** The places from which a creator can't be seen: whole countries, and states of the United States. */
const GeoBlock = z.object({
  countries: z.array(z.enum(COUNTRY_CODES)).max(COUNTRY_CODES.length),
  states: z.array(z.enum(US_STATES.map(({ code }) => code))).max(US_STATES.length),
})

const Watermark = z.object({ enabled: z.boolean() })

export const profilesRoutes = {
  profileByUsername: route({
    method: 'GET',
    path: '/users/u/:username',
    summary: 'A profile by its username (case does not matter).',
    access: 'public',
    params: z.object({ username: z.string().max(60) }),
    output: PublicProfile,
  }),
  profileById: route({
    method: 'GET',
    path: '/users/uid/:id',
    summary: 'A profile by its id.',
    access: 'public',
    params: z.object({ id: Id }),
    output: PublicProfile,
  }),
  isFollowing: route({
    method: 'GET',
    path: '/users/follow',
    summary: 'Whether the acting person follows another.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  toggleFollow: route({
    method: 'POST',
    path: '/users/follow',
    summary: 'Follows, or stops following; answers the new state. Nobody follows whom they blocked.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  following: route({
    method: 'GET',
    path: '/users/following',
    summary: 'Whom the acting person follows, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Listed),
  }),
  editProfile: route({
    method: 'POST',
    path: '/users/editprofile',
    summary:
      'Changes the own profile; what is not sent stays. Pictures are the files `profileImage` and `profileHeroImage`.',
    access: 'session',
    restricted: 'allowed',
    self: 'id',
    multipart: true,
    // Pictures are prepared outside, which takes long.
    transaction: 'manual',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({
      id: Id.optional(),
      firstName: line(60).pipe(z.string().min(1, 'Enter your first name.')),
      lastName: line(60).optional(),
      username: Username,
      redditUsername: ForumUsername,
      email: Email,
      bio: paragraph(2000).optional(),
      /** Creators only; from others it is refused. */
      menu: paragraph(5000).optional(),
      limits: paragraph(5000).optional(),
      links: Links.optional(),
    }),
    output: z.object({ message: z.string(), verifiedEmail: z.enum(['verified', 'unverified']) }),
  }),
  users: route({
    method: 'GET',
    path: '/users/users',
    summary: 'People by their names, for those who are logged in.',
    access: 'user',
    rateLimit: { points: 60, seconds: 600 },
    query: Page,
    output: listOf(Listed),
  }),
  searchUsers: route({
    method: 'GET',
    path: '/users/searchusers',
    summary: 'People whose username contains the filter (one or two letters: begins with it).',
    access: 'user',
    rateLimit: { points: 120, seconds: 600 },
    query: Page.extend({ filter: line(60).default('') }),
    output: listOf(Listed),
  }),
  fans: route({
    method: 'GET',
    path: '/users/fans',
    summary: 'A creator’s own fans by their names: followers, subscribers and buyers.',
    access: 'creator',
    query: Page,
    output: listOf(Listed),
  }),
  block: route({
    method: 'POST',
    path: '/users/block',
    summary: 'Blocks a person: they find the profile and its media no more; what they bought stays theirs.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), blockedId: Id }),
    output: Success,
  }),
  unblock: route({
    method: 'POST',
    path: '/users/unblock',
    summary: 'Ends a block.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    body: z.object({ userId: Id.optional(), blockedId: Id }),
    output: Success,
  }),
  blocked: route({
    method: 'GET',
    path: '/users/blocked',
    summary: 'Whom the acting person blocked, newest first.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Listed),
  }),
  geoBlock: route({
    method: 'GET',
    path: '/users/geoblock',
    summary: 'The places from which the acting creator can’t be seen.',
    access: 'creator',
    restricted: 'allowed',
    output: GeoBlock,
  }),
  setGeoBlock: route({
    method: 'POST',
    path: '/users/geoblock',
    summary: 'Sets the places from which the acting creator can’t be seen; who bought keeps access.',
    access: 'creator',
    restricted: 'allowed',
    body: GeoBlock,
    output: GeoBlock,
  }),
  watermark: route({
    method: 'GET',
    path: '/users/watermark',
    summary: 'Whether what the acting creator sells carries the name of whoever looks at it.',
    access: 'creator',
    restricted: 'allowed',
    output: Watermark,
  }),
  setWatermark: route({
    method: 'POST',
    path: '/users/watermark',
    summary: 'Sets whether what the acting creator sells carries the name of whoever looks at it.',
    access: 'creator',
    restricted: 'allowed',
    body: Watermark,
    output: Watermark,
  }),
}
