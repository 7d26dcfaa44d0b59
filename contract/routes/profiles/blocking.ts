import { z } from 'zod'
import { COUNTRY_CODES } from '../../countries.ts'
import { route } from '../../route.ts'
import { Id, listOf, Page, Success } from '../../schemas.ts'
import { US_STATES } from '../../states.ts'
import { Listed } from './following.ts'

/** The places from which a creator can't be seen: whole countries, and states of the United States. */
const GeoBlock = z.object({
  countries: z.array(z.enum(COUNTRY_CODES)).max(COUNTRY_CODES.length),
  states: z.array(z.enum(US_STATES.map(({ code }) => code))).max(US_STATES.length),
})

export const blockingRoutes = {
  block: route({
    method: 'POST',
    path: '/users/block',
    summary: 'Blocks a person: they can no longer find the profile and its media, but keep what they bought.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), blockedId: Id }),
    output: Success,
  }),
  unblock: route({
    method: 'POST',
    path: '/users/unblock',
    summary: 'Unblocks a person.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    body: z.object({ userId: Id.optional(), blockedId: Id }),
    output: Success,
  }),
  blocked: route({
    method: 'GET',
    path: '/users/blocked',
    summary: 'The people the caller blocked, newest first.',
    access: 'user',
    restricted: 'allowed',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Listed),
  }),
  geoBlock: route({
    method: 'GET',
    path: '/users/geoblock',
    summary: 'The regions the creator is hidden in.',
    access: 'creator',
    restricted: 'allowed',
    output: GeoBlock,
  }),
  setGeoBlock: route({
    method: 'POST',
    path: '/users/geoblock',
    summary: 'Sets the regions the creator is hidden in; buyers keep access.',
    access: 'creator',
    restricted: 'allowed',
    body: GeoBlock,
    output: GeoBlock,
  }),
}
