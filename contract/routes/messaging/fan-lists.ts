import { z } from 'zod'
import { MAX_NOTE_LENGTH } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, paragraph, Success } from '../../schemas.ts'

/** One of a creator's own lists of fans. */
const FanList = z.object({ _id: Id, name: z.string(), members: z.number().int() })

/** Somebody as the creator whose fan they are sees them. */
const Fan = z.object({
  _id: Id,
  username: z.string(),
  profileImage: z.string().nullable(),
  isCreator: z.boolean(),
  /** Since when they follow, subscribe or buy; null of somebody who only writes. */
  since: Moment.nullable(),
  follows: z.boolean(),
  subscription: z.enum(['none', 'current', 'ended']),
  /** The amount that they paid for this creator's products, less refunds. */
  spent: z.string(),
  /** The creator's lists that they are on. */
  listIds: z.array(Id),
  /** The creator's own note on them. */
  note: z.string(),
})

const LIMIT = { points: 600, seconds: 600 }
/** Fans that one call adds to a list or removes. */
const MAX_FANS_PER_CALL = 500

export const fanListRoutes = {
  fanTable: route({
    method: 'GET',
    path: '/users/fans/table',
    summary: 'The creator’s fans, or those of one kind or one list, the newest or who spent most first.',
    access: 'creator',
    query: Page.omit({ skip: true }).extend({
      showing: z.enum(['all', 'followers', 'subscribers', 'expired', 'list']).default('all'),
      /** Which list, for `list`. */
      listId: Id.optional(),
      sort: z.enum(['newest', 'spent']).default('newest'),
      /** Part of a username. */
      filter: line(60).default(''),
    }),
    output: listOf(Fan),
  }),
  fan: route({
    method: 'GET',
    path: '/users/fan',
    summary: 'One person as the creator sees them: a fan, or somebody with whom a conversation began.',
    access: 'creator',
    query: z.object({ fanId: Id }),
    output: Fan.extend({
      /** Whether they can be added to a list; somebody whom only the creator wrote to can't. */
      listable: z.boolean(),
    }),
  }),
  fanLists: route({
    method: 'GET',
    path: '/users/fanlists',
    summary: 'The creator’s own lists of fans, by name.',
    access: 'creator',
    output: z.object({ items: z.array(FanList) }),
  }),
  saveFanList: route({
    method: 'POST',
    path: '/users/fanlist',
    summary: 'Makes a list of fans, or with `listId` renames one.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({
      listId: Id.optional(),
      name: line(60).pipe(z.string().min(1, 'Enter a name.')),
    }),
    output: FanList,
  }),
  deleteFanList: route({
    method: 'POST',
    path: '/users/fanlist/delete',
    summary: 'Deletes a list of fans; the people stay fans.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ listId: Id }),
    output: Success,
  }),
  changeFanList: route({
    method: 'POST',
    path: '/users/fanlist/members',
    summary: 'Adds fans to a list, and removes others.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({
      listId: Id,
      add: z.array(Id).max(MAX_FANS_PER_CALL).default([]),
      remove: z.array(Id).max(MAX_FANS_PER_CALL).default([]),
    }),
    output: FanList,
  }),
  setFanNote: route({
    method: 'POST',
    path: '/users/fannote',
    summary: 'Keeps the creator’s own note on a fan, which nobody else sees; an empty one removes it.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ fanId: Id, note: paragraph(MAX_NOTE_LENGTH) }),
    output: Success,
  }),
}
