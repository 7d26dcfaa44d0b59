import { z } from 'zod'
import { MAX_PROFILE_LINKS } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, paragraph, QueryBoolean } from '../../schemas.ts'
import { Email, ForumUsername, Username } from '../identity/account.ts'

/** A person as others see them: no email, no last name, no forum account. */
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
  /** How many subscriptions, bundles and singles a creator sells; null for visitors if they aren’t shown. */
  subscriptionCount: z.number().int(),
  bundleCount: z.number().int().nullable(),
  singleCount: z.number().int().nullable(),
  /** The first of these that there are any of, told to visitors as well; null if a creator sells nothing. */
  sells: z.enum(['subscriptions', 'bundles', 'singles']).nullable(),
  /** How many follow a creator, counted up to `MAX_FOLLOWERS_COUNTED`. */
  followerCount: z.number().int(),
  /** That the viewer blocked them; told to nobody else. */
  blocked: z.literal(true).optional(),
  /** That the account is suspended, since when and why; told to operators only. */
  suspended: z.object({ at: Moment, reason: z.string() }).optional(),
})

/** One link of a profile; each save gives it a new `_id`. */
const Link = z.object({
  _id: z.string().max(60).optional(),
  text: line(60).pipe(z.string().min(1, 'Each link needs both text and URL.')),
  link: line(500)
    .pipe(z.string().min(1, 'Each link needs both text and URL.'))
    .refine(isWebAddress, 'Enter a URL that starts with https:// or http://'),
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
      issues.addIssue({ code: 'custom', message: 'We couldn’t read the links.' })
      return z.NEVER
    }
  })
  .pipe(z.array(Link).max(MAX_PROFILE_LINKS, `Add up to ${MAX_PROFILE_LINKS} links.`))

/** A setting that is on or off. */
const Switched = z.object({ enabled: z.boolean() })

export const profileRoutes = {
  profileByUsername: route({
    method: 'GET',
    path: '/users/u/:username',
    summary: 'A profile by username (case-insensitive), if the viewer may see it.',
    access: 'public',
    params: z.object({ username: z.string().max(60) }),
    output: PublicProfile,
  }),
  profileById: route({
    method: 'GET',
    path: '/users/uid/:id',
    summary: 'A profile by id, if the viewer may see it.',
    access: 'public',
    params: z.object({ id: Id }),
    output: PublicProfile,
  }),
  referrer: route({
    method: 'GET',
    path: '/users/referralcode/:code',
    summary: 'Whose referral code this is, one person’s or a shared one, if the viewer may see them.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 60, seconds: 60 },
    params: z.object({ code: line(40) }),
    output: z.object({
      /** Of a shared code: its first participant whom the viewer may see. */
      username: z.string(),
      /** How many more people share the code. */
      others: z.number().int(),
    }),
  }),
  editProfile: route({
    method: 'POST',
    path: '/users/editprofile',
    summary:
      'Edits the caller’s profile; omitted fields stay the same. Images are the files `profileImage` and `profileHeroImage`.',
    access: 'session',
    restricted: 'allowed',
    self: 'id',
    multipart: true,
    // Pictures are prepared outside, which takes long.
    transaction: 'manual',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({
      id: Id.optional(),
      firstName: line(60).pipe(z.string().min(1, 'Enter your first name.')).optional(),
      lastName: line(60).optional(),
      username: Username.optional(),
      redditUsername: ForumUsername.optional(),
      /** Whether creators see who this is when they write to them on the forum. */
      recognizable: QueryBoolean.optional(),
      email: Email.optional(),
      bio: paragraph(2000).optional(),
      /** Creators only; from others it is refused. */
      menu: paragraph(5000).optional(),
      limits: paragraph(5000).optional(),
      links: Links.optional(),
    }),
    output: z.object({ message: z.string(), verifiedEmail: z.enum(['verified', 'unverified']) }),
  }),
  watermark: route({
    method: 'GET',
    path: '/users/watermark',
    summary: 'Whether the creator’s paid media are watermarked with the viewer’s username.',
    access: 'creator',
    restricted: 'allowed',
    output: Switched,
  }),
  setWatermark: route({
    method: 'POST',
    path: '/users/watermark',
    summary: 'Sets whether the creator’s paid media are watermarked with the viewer’s username.',
    access: 'creator',
    restricted: 'allowed',
    body: Switched,
    output: Switched,
  }),
  discoverable: route({
    method: 'GET',
    path: '/users/discoverable',
    summary: 'Whether everyone can find the caller, who is a fan; creators can always be found.',
    access: 'user',
    restricted: 'allowed',
    output: Switched,
  }),
  setDiscoverable: route({
    method: 'POST',
    path: '/users/discoverable',
    summary: 'Sets whether everyone can find the caller, who is a fan.',
    access: 'user',
    restricted: 'allowed',
    body: Switched,
    output: Switched,
  }),
}
