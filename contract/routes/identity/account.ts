import { z } from 'zod'
import { IDS_PER_PAGE, MIN_PASSWORD_LENGTH } from '../../constants.ts'
import { errors } from '../../errors.ts'
import { PERMISSIONS, ROLES } from '../../permissions.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, Success } from '../../schemas.ts'
import { cleanForumUsername, USERNAME } from '../../usernames.ts'

/** An email address, lower-cased (docs/product.md, Limits). */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email('Enter a valid email address.'))

/** A name that people have in addresses of pages: letters, digits, `_`, `.`, `-`. */
export const Username = z
  .string()
  .trim()
  .min(1, 'Choose a username.')
  .regex(USERNAME, 'Use 2 to 30 letters, numbers, periods, dashes, or underscores.')

/** A forum username; a leading `/u/` and all white space are dropped (docs/product.md, Limits). */
export const ForumUsername = z
  .string()
  .transform(cleanForumUsername)
  .pipe(
    z
      .string()
      .min(1, 'Enter your forum username.')
      .regex(
        /^[A-Za-z0-9_-]{2,20}$/,
        'Enter your forum username: 2 to 20 letters, numbers, dashes, or underscores.',
      ),
  )

/** A new password (docs/product.md, Limits); whether it is a common one is the server's to know. */
export const Password = z.string().min(MIN_PASSWORD_LENGTH, errors.password_too_short.text).max(256)

/** The logged-in person as they see themselves. Never carries a token of any service. */
export const CurrentUser = z.object({
  _id: Id,
  username: z.string(),
  email: z.string(),
  /** Another address that was asked for, until its link is opened; `email` stays in use meanwhile. */
  pendingEmail: z.string().nullable(),
  firstName: z.string(),
  lastName: z.string(),
  redditUsername: z.string(),
  /** Whether creators see who this is when they write to them on the forum. */
  recognizable: z.boolean(),
  forumConnected: z.boolean(),
  bio: z.string(),
  profileImage: z.string().nullable(),
  profileHeroImage: z.string().nullable(),
  menu: z.string(),
  limits: z.string(),
  links: z.array(z.object({ _id: z.string(), text: z.string(), link: z.string() })),
  referralCode: z.string(),
  role: z.enum(ROLES).nullable(),
  /** The permissions of the role; empty without one. */
  permissions: z.array(z.enum(PERMISSIONS)),
  isCreator: z.boolean(),
  verifiedEmail: z.enum(['verified', 'unverified']),
  /** `required`: none yet, and nothing else is open to this operator before. */
  secondFactor: z.enum(['on', 'off', 'required']),
  /** The newest of what was bought or given for good; the call `unlockedMedia` has all, subscriptions' items as well. */
  unlockedMedia: z.array(Id).max(IDS_PER_PAGE),
  subscriptions: z.array(z.object({ subscriptionId: Id, status: z.string(), expiration: Moment.nullable() })),
})

export const TypedPassword = z.string().min(1, 'Enter your password.').max(256)

export const Message = z.object({ message: z.string() })

export const accountRoutes = {
  signup: route({
    method: 'POST',
    path: '/users/signup',
    summary: 'Creates an account, logs it in, and emails the confirmation link.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 5, seconds: 3600, by: 'email', pointsPerAddress: 20, counts: 'calls' },
    body: z.object({
      firstName: line(60).pipe(z.string().min(1, 'Enter your first name.')),
      lastName: line(60).default(''),
      email: Email,
      username: Username,
      redditUsername: ForumUsername,
      password: Password,
      referralCode: line(40).optional(),
      sharedReferralCode: line(40).optional(),
      isCreator: z
        .union(
          [z.boolean(), z.enum(['true', 'false'])],
          "You need to select whether you're a creator or not.",
        )
        .transform((value) => value === true || value === 'true'),
    }),
    output: z.object({ token: z.string() }),
  }),
  usernameFree: route({
    method: 'GET',
    path: '/users/usernamefree',
    summary:
      'Whether a username is available (case-insensitive). Usernames are public; email addresses can’t be checked.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 120, seconds: 600 },
    query: z.object({ username: Username }),
    output: z.object({ free: z.boolean() }),
  }),
  me: route({
    method: 'GET',
    path: '/auth/me',
    summary: 'The current user.',
    access: 'session',
    withoutSecondFactor: 'allowed',
    restricted: 'allowed',
    output: CurrentUser,
  }),
  resendEmailConfirmation: route({
    method: 'POST',
    path: '/users/resendemailconfirmation',
    summary: 'Emails a new link to the address that isn’t confirmed yet.',
    access: 'session',
    withoutSecondFactor: 'allowed',
    restricted: 'allowed',
    self: 'userId',
    rateLimit: { points: 5, seconds: 600 },
    body: z.object({ email: Email.optional(), userId: Id.optional() }),
    output: z.object({ message: z.string() }),
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/users/emailconfirmation',
    summary: 'Confirms an email address with the emailed link.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ email: Email, token: z.string().min(1).max(200) }),
    output: Success,
  }),
  becomeCreator: route({
    method: 'POST',
    path: '/users/becomecreator',
    summary: 'Makes the caller a creator, as sign-up does for those who say so there; nothing takes it back.',
    access: 'user',
    restricted: 'allowed',
    output: Success,
  }),
  changeEmail: route({
    method: 'POST',
    path: '/users/changeemail',
    summary: 'Requests a change of the email address; it takes effect once the emailed link is opened.',
    access: 'session',
    reauthentication: 'recent',
    restricted: 'allowed',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ email: Email }),
    output: Message,
  }),
  cancelEmailChange: route({
    method: 'POST',
    path: '/users/changeemail/cancel',
    summary: 'Cancels a pending change of the email address; the emailed link no longer works.',
    access: 'session',
    restricted: 'allowed',
    output: Success,
  }),
}
