import { z } from 'zod'
import { route } from '../../route.ts'
import { line, paragraph, Success } from '../../schemas.ts'
import { Email } from '../identity/account.ts'

export const contactRoutes = {
  contact: route({
    method: 'POST',
    path: '/contact',
    summary: 'Emails a message to the operator.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 5, seconds: 3600 },
    body: z.object({
      email: Email,
      name: line(120).optional(),
      message: paragraph(5000).min(10, 'Enter at least 10 characters.'),
      /** People never see this field; what fills it in is a program, and its message is dropped. */
      website: z.string().max(200).optional(),
    }),
    output: Success.extend({
      /** By which a person can refer to their message; the operator's email has it as well. */
      caseNumber: z.string(),
    }),
  }),
}
