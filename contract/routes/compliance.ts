import { z } from 'zod'
import { route } from '../route.ts'
import { line, paragraph, Success } from '../schemas.ts'
import { Email } from './identity.ts'

export const complianceRoutes = {
  ageVerified: route({
    method: 'GET',
    path: '/users/age-verified',
    summary: 'Whether this visitor has confirmed (or proven, in a restricted region) their age.',
    access: 'public',
    restricted: 'allowed',
    output: z.object({ ageVerified: z.boolean() }),
  }),
  confirmAge: route({
    method: 'POST',
    path: '/users/age-verified',
    summary: 'The visitor says to be 18 or older; kept in a signed cookie and on the account.',
    access: 'public',
    restricted: 'allowed',
    output: Success,
  }),
  location: route({
    method: 'GET',
    path: '/users/location',
    summary: 'Where the visitor seems to be, and whether that region is restricted.',
    access: 'public',
    restricted: 'allowed',
    output: z.object({
      country: z.string().nullable(),
      region: z.string().nullable(),
      restricted: z.boolean(),
      /** Whether the sentence on VPNs may be shown to visitors there. */
      vpnHint: z.boolean(),
    }),
  }),
  contact: route({
    method: 'POST',
    path: '/contact',
    summary: 'Sends a message to the operator by e-mail.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 5, seconds: 3600 },
    body: z.object({
      email: Email,
      name: line(120).optional(),
      message: paragraph(5000).min(10, 'Write at least 10 characters.'),
      /** People never see this field; what fills it in is a program, and its message is dropped. */
      website: z.string().max(200).optional(),
    }),
    output: Success,
  }),
}
