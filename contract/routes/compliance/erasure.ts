import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment } from '../../schemas.ts'

export const erasureRoutes = {
  deleteAccount: route({
    method: 'DELETE',
    path: '/users/deleterequest/:userId',
    summary:
      'Hides the caller’s account immediately and erases it within 30 days; logging in before `erasedBy` undoes it.',
    access: 'session',
    reauthentication: 'recent',
    restricted: 'allowed',
    self: 'userId',
    params: z.object({ userId: Id }),
    output: z.object({ message: z.string(), erasedBy: Moment }),
  }),
}
