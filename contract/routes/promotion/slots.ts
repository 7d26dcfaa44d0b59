import { z } from 'zod'
import { SubredditName } from '../../forum.ts'
import { route } from '../../route.ts'
import { Id, Moment, Success, TimeZone } from '../../schemas.ts'

const LIMIT = { points: 300, seconds: 600 }

/** A time of the week at which a post goes up, in the queue’s time zone. */
const Slot = z.object({
  /** Days of the week; 0 is Sunday. */
  days: z.array(z.number().int().min(0).max(6)).min(1, 'Choose at least one day.').max(7),
  /** Hours and minutes: `18:30`. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time.'),
  /** The only subreddit that it is for; any without it. */
  subreddit: SubredditName.nullable(),
  /** The account that posts; the first that is connected without it. */
  accountId: Id.nullable(),
  byHand: z.boolean(),
})

export const slotRoutes = {
  slots: route({
    method: 'GET',
    path: '/reddit/slots',
    summary: 'The acting person’s recurring slots, and what of the next seven days they have filled.',
    access: 'creator',
    output: z.object({
      timeZone: TimeZone,
      items: z.array(
        Slot.extend({
          _id: Id,
          /** When it comes next. */
          nextTime: Moment,
          /** How many posts it has on the timeline. */
          planned: z.number().int(),
          /** Why it has a time without a post. */
          problem: z.string().nullable(),
        }),
      ),
    }),
  }),
  saveSlot: route({
    method: 'POST',
    path: '/reddit/slots',
    summary: 'Adds a recurring slot or changes one, and fills the days ahead with what can be posted next.',
    access: 'creator',
    rateLimit: LIMIT,
    body: Slot.extend({ slotId: Id.optional() }),
    output: z.object({
      _id: Id,
      /** How many posts were scheduled for it just now. */
      scheduled: z.number().int(),
      problem: z.string().nullable(),
    }),
  }),
  deleteSlot: route({
    method: 'POST',
    path: '/reddit/slots/delete',
    summary: 'Ends a recurring slot; what is scheduled already stays.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ slotId: Id }),
    output: Success,
  }),
}
