import { z } from 'zod'
import { ROLES } from '../../permissions.ts'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

export const roleRoutes = {
  setRole: route({
    method: 'POST',
    path: '/admin/role',
    summary: 'Makes a person one of the site’s operators, gives them another role, or with null none.',
    access: { permission: 'people.setRole' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: z.object({ userId: Id, role: z.enum(ROLES).nullable(), reason: Reason }),
    output: Success,
  }),
}
