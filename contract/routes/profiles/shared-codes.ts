import { z } from 'zod'
import { MAX_SHARED_CODE_PARTICIPANTS } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, Success } from '../../schemas.ts'

/** A referral code whose commissions its participants split equally; the first one manages it. */
export const SharedCode = z.object({
  _id: Id,
  referralCode: z.string(),
  title: z.string(),
  /** Those whom the caller is shown (docs/product.md, Who finds whom). */
  participantIds: z.array(Id),
  participants: z.array(
    z.object({
      _id: Id,
      username: z.string(),
      /** People who haven't accepted yet don't take part. */
      accepted: z.boolean(),
    }),
  ),
  /** How many more take part, or are invited. */
  others: z.number().int(),
  /** Whether the caller manages it. */
  manages: z.boolean(),
  /** Whether the caller takes part; else they are invited. */
  accepted: z.boolean(),
  /** Null for who isn't shown to the caller. */
  lastUpdateBy: z.object({ username: z.string() }).nullable(),
  lastUpdateAt: Moment,
  /** How many people signed up with it. */
  signUps: z.number().int(),
})

const SharedCodeFields = z.object({
  title: line(80).pipe(z.string().min(1, 'Enter a title.')),
  /** The person who makes a code is always its first member; everyone else is invited. */
  participantIds: z
    .array(Id)
    .max(MAX_SHARED_CODE_PARTICIPANTS, `Up to ${MAX_SHARED_CODE_PARTICIPANTS} people can share a code.`),
  userId: Id.optional(),
})

const SharedCodeChoice = z.object({ sharedRefId: Id, userId: Id.optional() })

export const sharedCodeRoutes = {
  sharedCodes: route({
    method: 'GET',
    path: '/users/sharedrefs',
    summary: 'The shared referral codes that the caller takes part in, or is invited to; newest first.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      showing: z.enum(['own', 'invitations']).default('own'),
    }),
    output: listOf(SharedCode),
  }),
  createSharedCode: route({
    method: 'POST',
    path: '/users/sharedref',
    summary:
      'Makes a shared referral code, and invites people to it; those who take part split the commission equally.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    idempotent: true,
    rateLimit: { points: 30, seconds: 3600 },
    body: SharedCodeFields,
    output: SharedCode,
  }),
  editSharedCode: route({
    method: 'PATCH',
    path: '/users/sharedref',
    summary:
      'Changes the title and participants of a shared referral code that the caller manages, who stays in it.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    rateLimit: { points: 60, seconds: 3600 },
    body: SharedCodeFields.extend({
      sharedRefId: Id,
      /** The one that the caller was shown; a 409 `shared_code_changed` if the code has changed since. */
      lastUpdateAt: Moment,
    }),
    output: z.object({ item: SharedCode }),
  }),
  acceptSharedCode: route({
    method: 'POST',
    path: '/users/sharedref/accept',
    summary: 'Accepts an invitation to a shared referral code: from now on the caller takes part.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    body: SharedCodeChoice,
    output: Success,
  }),
  leaveSharedCode: route({
    method: 'POST',
    path: '/users/sharedref/leave',
    summary: 'Takes the caller out of a shared referral code, or declines an invitation to one.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    body: SharedCodeChoice,
    output: Success,
  }),
}
