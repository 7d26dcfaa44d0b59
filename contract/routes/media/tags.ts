import { z } from 'zod'
import { MAX_SUGGESTED_TAGS } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, repeated } from '../../schemas.ts'

export const Tag = z.object({ _id: Id, name: z.string() })

export const tagRoutes = {
  tags: route({
    method: 'GET',
    path: '/users/tags',
    summary: 'Media tags, most used first; by part of their name, or by id.',
    access: 'public',
    query: z.object({
      search: line(40).optional(),
      ids: repeated(Id, 100),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({
      tags: z.array(Tag),
      /** The tags used in discover, most used first. */
      suggested: z.array(Tag).max(MAX_SUGGESTED_TAGS),
    }),
  }),
  addTag: route({
    method: 'POST',
    path: '/users/tags',
    summary: 'Adds a media tag, or returns the existing one (case-insensitive).',
    access: 'creator',
    rateLimit: { points: 60, seconds: 3600 },
    body: z.object({ name: line(40).pipe(z.string().min(1, 'Enter a tag name.')) }),
    output: Tag,
  }),
}
