import { z } from 'zod'
import { route } from '../../route.ts'
import { line, Reason, Success } from '../../schemas.ts'
import { US_STATES } from '../../states.ts'

/** The 50 states; the District of Columbia has no senators. */
const StateCode = z
  .string()
  .trim()
  .toUpperCase()
  .refine(
    (code) => code !== 'DC' && US_STATES.some((state) => state.code === code),
    'Enter a state code, like TX.',
  )

const Senator = z.object({
  name: line(80).min(2, 'Enter the senator’s full name.'),
  telephone: z
    .string()
    .trim()
    .regex(/^\d{3}-\d{3}-\d{4}$/, 'Enter a phone number like 202-224-3121.'),
})

const Seats = z.array(Senator).length(2, 'Each state has two senators.')

export const senatorRoutes = {
  senators: route({
    method: 'GET',
    path: '/users/senators',
    summary: 'The two senators of each state, with a phone number and the date it was last verified.',
    access: 'public',
    restricted: 'allowed',
    output: z.object({
      items: z.array(z.object({ code: z.string(), correctOn: z.iso.date(), senators: Seats })),
    }),
  }),
  setSenators: route({
    method: 'POST',
    path: '/admin/senators',
    summary: 'Updates the senators of a state; recorded in the audit log.',
    access: { permission: 'senators.edit' },
    restricted: 'allowed',
    body: z.object({ code: StateCode, senators: Seats, reason: Reason }),
    output: Success,
  }),
}
