import { z } from 'zod'
import { MAX_NOTE_LENGTH } from '../../constants.ts'
import { SubredditName } from '../../forum.ts'
import { CONFIRMATIONS, VERIFICATION_STATUSES, VERIFICATION_TYPES } from '../../promotion.ts'
import { route } from '../../route.ts'
import { Day, Id, line, listOf, Page, paragraph, Success } from '../../schemas.ts'

/** How far somebody’s verification in a subreddit is. */
const VerificationRecord = z.object({
  name: z.string(),
  verificationType: z.enum(VERIFICATION_TYPES),
  notes: z.string(),
  confirmed: z.enum(CONFIRMATIONS),
  status: z.enum(VERIFICATION_STATUSES),
  /** The day on which they are reminded of it. */
  remindOn: Day.nullable(),
})

/** The requirements of the verification photo, by the subreddit’s rules; `done` if its person ticked it. */
const ChecklistItem = z.object({ text: z.string(), done: z.boolean() })

const LIMIT = { points: 600, seconds: 600 }

export const verificationRoutes = {
  verificationRecord: route({
    method: 'GET',
    path: '/reddit/usersrinfo',
    summary:
      'Somebody’s verification in one subreddit, their own or any by an operator; a record or what one would begin as.',
    access: 'user',
    query: z.object({ userId: Id.optional(), name: SubredditName }),
    output: VerificationRecord.extend({ recorded: z.boolean(), checklist: z.array(ChecklistItem) }),
  }),
  verificationStatus: route({
    method: 'GET',
    path: '/reddit/usersrinfo2',
    summary: 'In one word how far a verification is: `verified`, or its status.',
    access: 'user',
    query: z.object({ userId: Id.optional(), subreddit: SubredditName }),
    output: z.object({ status: z.enum([...VERIFICATION_STATUSES, 'verified']) }),
  }),
  verificationRecords: route({
    method: 'GET',
    path: '/reddit/usersrinfos',
    summary: 'The acting person’s verifications, by name.',
    access: 'creator',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      status: z.enum(VERIFICATION_STATUSES).optional(),
      search: line(60).default(''),
    }),
    output: listOf(VerificationRecord).extend({
      /** How many there are of each status. */
      counts: z.object({ todo: z.number().int(), pending: z.number().int(), done: z.number().int() }),
    }),
  }),
  updateVerification: route({
    method: 'POST',
    path: '/reddit/updateusersrinfo',
    summary: 'Keeps somebody’s verification in a subreddit; what isn’t named stays.',
    access: 'user',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({
      userId: Id.optional(),
      srName: SubredditName,
      notes: paragraph(MAX_NOTE_LENGTH).optional(),
      confirmed: z.enum(CONFIRMATIONS).optional(),
      status: z.enum(VERIFICATION_STATUSES).optional(),
      remindOn: Day.nullable().optional(),
      /** The checklist’s sentences that are ticked. */
      checked: z.array(z.string().max(600)).max(40).optional(),
    }),
    output: VerificationRecord,
  }),
  verifySubreddit: route({
    method: 'POST',
    path: '/reddit/verifysub',
    summary: 'Marks the acting person’s verification in a subreddit as done.',
    access: 'creator',
    self: 'userId',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({ userId: Id.optional(), subreddit: SubredditName }),
    output: Success,
  }),
  removeVerification: route({
    method: 'POST',
    path: '/reddit/removeusersrinfo',
    summary: 'Removes a subreddit from the acting person’s verifications.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ srName: SubredditName }),
    output: Success,
  }),
}
