import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line } from '../../schemas.ts'

/** A person depicted in media; `self` is the creator. */
export const Performer = z.object({ _id: Id, name: z.string(), self: z.boolean() })

export const performerRoutes = {
  performers: route({
    method: 'GET',
    path: '/users/performers',
    summary: 'The people the creator can name as depicted, the creator first.',
    access: 'user',
    output: z.object({ items: z.array(Performer) }),
  }),
  addPerformer: route({
    method: 'POST',
    path: '/users/performers',
    summary: 'Adds a person depicted in the creator’s media; returns an existing one with the same name.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 3600 },
    body: z.object({ name: line(80).pipe(z.string().min(1, 'Enter a name.')) }),
    output: Performer,
  }),
}
