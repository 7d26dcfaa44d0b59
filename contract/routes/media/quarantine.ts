import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line, Success } from '../../schemas.ts'

const Takedown = z.object({ mediaId: Id, reason: line(500).min(3, 'Say why, in a few words.') })

export const quarantineRoutes = {
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary: 'Takes an item down: nobody gets any of its bytes from now on, its owner and buyers included.',
    access: 'superadmin',
    body: Takedown,
    output: Success,
  }),
  releaseMedia: route({
    method: 'POST',
    path: '/admin/media/release',
    summary: 'Takes a takedown back: everybody sees again what they could see before.',
    access: 'superadmin',
    body: Takedown,
    output: Success,
  }),
}
