import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

const Decision = z.object({ userId: Id, reason: Reason })

export const suspensionRoutes = {
  suspendPerson: route({
    method: 'POST',
    path: '/admin/people/suspend',
    summary:
      'Suspends an account: every session of it ends, and nobody but operators finds the person or anything of theirs. Buyers keep what they bought.',
    access: { permission: 'people.suspend' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: Decision,
    output: Success,
  }),
  reinstatePerson: route({
    method: 'POST',
    path: '/admin/people/reinstate',
    summary: 'Ends the suspension of an account: everything is as it was, but its sessions.',
    access: { permission: 'people.suspend' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: Decision,
    output: Success,
  }),
}
