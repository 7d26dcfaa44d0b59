import { z } from 'zod'
import { SubredditName } from '../../forum.ts'
import { route } from '../../route.ts'
import { Id } from '../../schemas.ts'

/** With the account’s name in a corner, or without anything. */
const CopyKind = z.enum(['clean', 'named'])

export const copyRoutes = {
  promotionCopy: route({
    method: 'POST',
    path: '/reddit/post/:redditPostId/copy',
    summary:
      'Makes a copy of the item that a post shows, for uploading it by hand: without metadata, with or without the account’s name on it.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: { points: 300, seconds: 600 },
    params: z.object({ redditPostId: Id }),
    body: z.object({
      subreddit: SubredditName,
      /** Without it, as the subreddit wants it. */
      kind: CopyKind.optional(),
      /** The account whose name is on it; without it, the first connected one. */
      accountId: Id.optional(),
    }),
    output: z.object({
      kind: CopyKind,
      /** The subreddit's requirement, if known. */
      wanted: CopyKind.nullable(),
      /** The name on it. */
      account: z.string().nullable(),
      /** An address of this site, which its creator’s browser alone can open. */
      path: z.string(),
      fileName: z.string(),
      /** False while a video is being made; asked again, it says when it’s there. */
      ready: z.boolean(),
    }),
  }),
}
