import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line } from '../../schemas.ts'

/** A person depicted in media; `self` is the creator. */
export const Performer = z.object({ _id: Id, name: z.string(), self: z.boolean() })

export const performerRoutes = {
  performers: route({
    method: 'GET',
    path: '/users/performers',
    summary: 'The people whom the acting creator can name as depicted, themselves first.',
    access: 'user',
    output: z.object({ items: z.array(Performer) }),
  }),
  addPerformer: route({
    method: 'POST',
    path: '/users/performers',
    summary: 'Adds a person who is depicted in the acting creator’s media; one of this name is returned.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 3600 },
    body: z.object({ name: line(80).pipe(z.string().min(1, 'Enter a name.')) }),
    output: Performer,
  }),
}
