import { z } from 'zod'
import { ROLES } from '../../permissions.ts'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

export const roleRoutes = {
  setRole: route({
    method: 'POST',
    path: '/admin/role',
    summary: 'Gives a person an operator role, changes it, or removes it with null.',
    access: { permission: 'people.setRole' },
    reauthentication: 'recent',
    restricted: 'allowed',
    body: z.object({ userId: Id, role: z.enum(ROLES).nullable(), reason: Reason }),
    output: Success,
  }),
}
