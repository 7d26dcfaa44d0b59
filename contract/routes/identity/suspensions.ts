import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

const Decision = z.object({ userId: Id, reason: Reason })

export const suspensionRoutes = {
  suspendPerson: route({
    method: 'POST',
    path: '/admin/people/suspend',
    summary:
      'Suspends an account: all its sessions end, and only operators can find the person or anything of theirs. Buyers keep access.',
    access: { permission: 'people.suspend' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: Decision,
    output: Success,
  }),
  reinstatePerson: route({
    method: 'POST',
    path: '/admin/people/reinstate',
    summary: 'Ends the suspension of an account and restores everything except its sessions.',
    access: { permission: 'people.suspend' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: Decision,
    output: Success,
  }),
}
