import { z } from 'zod'
import { route } from '../../route.ts'
import { line, listOf, Page } from '../../schemas.ts'
import { Listed } from './following.ts'

export const peopleRoutes = {
  users: route({
    method: 'GET',
    path: '/users/users',
    summary: 'People by username, for logged-in callers.',
    access: 'user',
    rateLimit: { points: 60, seconds: 600 },
    query: Page,
    output: listOf(Listed),
  }),
  searchUsers: route({
    method: 'GET',
    path: '/users/searchusers',
    summary:
      'People whose username contains the filter (with one or two letters: starts with it). Creators also find an exact match.',
    access: 'user',
    rateLimit: { points: 120, seconds: 600 },
    query: Page.extend({ filter: line(60).default('') }),
    output: listOf(Listed),
  }),
  creatorsToFollow: route({
    method: 'GET',
    path: '/users/creatorstofollow',
    summary: 'A few popular creators whom the caller doesn’t follow.',
    access: 'user',
    output: z.object({ items: z.array(Listed) }),
  }),
  fans: route({
    method: 'GET',
    path: '/users/fans',
    summary: 'A creator’s own fans by username: followers, subscribers, and buyers.',
    access: 'creator',
    query: Page.extend({ filter: line(60).default('') }),
    output: listOf(Listed),
  }),
}
