import { z } from 'zod'
import { route } from '../route.ts'
import { Id, listOf, Page } from '../schemas.ts'

/** A person as others see them: no e-mail, no last name, no forum account. */
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
})

export const profilesRoutes = {
  profileByUsername: route({
    method: 'GET',
    path: '/users/u/:username',
    summary: 'A profile by its username (case does not matter).',
    access: 'public',
    params: z.object({ username: z.string().max(60) }),
    output: PublicProfile,
  }),
  profileById: route({
    method: 'GET',
    path: '/users/uid/:id',
    summary: 'A profile by its id.',
    access: 'public',
    params: z.object({ id: Id }),
    output: PublicProfile,
  }),
  isFollowing: route({
    method: 'GET',
    path: '/users/follow',
    summary: 'Whether the acting person follows another.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  toggleFollow: route({
    method: 'POST',
    path: '/users/follow',
    summary: 'Follows, or stops following; answers the new state.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), followingId: Id }),
    output: z.object({ following: z.boolean() }),
  }),
  following: route({
    method: 'GET',
    path: '/users/following',
    summary: 'Whom the acting person follows, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(
      z.object({
        _id: Id,
        username: z.string(),
        profileImage: z.string().nullable(),
        isCreator: z.boolean(),
      }),
    ),
  }),
}
