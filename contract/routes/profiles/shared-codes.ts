import { z } from 'zod'
import { MAX_SHARED_CODE_PARTICIPANTS } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, Moment } from '../../schemas.ts'

/** A referral code whose commissions its participants split equally; the first one manages it. */
export const SharedCode = z.object({
  _id: Id,
  referralCode: z.string(),
  title: z.string(),
  participantIds: z.array(Id),
  participants: z.array(z.object({ _id: Id, username: z.string() })),
  lastUpdateBy: z.object({ username: z.string() }),
  lastUpdateAt: Moment,
  /** How many people signed up with it. */
  signUps: z.number().int(),
})

const SharedCodeFields = z.object({
  title: line(80).pipe(z.string().min(1, 'Enter a title.')),
  /** Whoever makes a code is always its first participant. */
  participantIds: z
    .array(Id)
    .max(MAX_SHARED_CODE_PARTICIPANTS, `Up to ${MAX_SHARED_CODE_PARTICIPANTS} people can share a code.`),
  userId: Id.optional(),
})

export const sharedCodeRoutes = {
  sharedCodes: route({
    method: 'GET',
    path: '/users/sharedrefs',
    summary: 'The shared referral codes the caller takes part in, newest first.',
    access: 'user',
    // What somebody earns is theirs wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ items: z.array(SharedCode) }),
  }),
  createSharedCode: route({
    method: 'POST',
    path: '/users/sharedref',
    summary: 'Makes a shared referral code; its participants split the commission equally.',
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
      'Changes a shared referral code’s title and participants. Whoever manages it changes everything; others can only leave. Answers null once the caller has left.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    rateLimit: { points: 60, seconds: 3600 },
    body: SharedCodeFields.extend({ sharedRefId: Id }),
    output: z.object({ item: SharedCode.nullable() }),
  }),
}
