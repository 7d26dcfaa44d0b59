import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Page } from '../../schemas.ts'

/** A person in a list: never more than this, whoever asks (docs/product.md, Access). */
export const Listed = z.object({
  _id: Id,
  username: z.string(),
  profileImage: z.string().nullable(),
  isCreator: z.boolean(),
  /** That the account is suspended; told to operators only. */
  suspended: z.literal(true).optional(),
  /** That their profile isn’t shown to the viewer, who knows their name. */
  private: z.literal(true).optional(),
})

export const followingRoutes = {
  isFollowing: route({
    method: 'GET',
    path: '/users/follow',
    summary: 'Whether the caller follows a person.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  toggleFollow: route({
    method: 'POST',
    path: '/users/follow',
    summary: 'Toggles following; returns the new state. You can’t follow someone you blocked.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  following: route({
    method: 'GET',
    path: '/users/following',
    summary: 'The people the caller follows, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Listed),
  }),
}
