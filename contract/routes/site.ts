import { z } from 'zod'
import { COMMISSION_READINGS } from '../commissions.ts'
import { route } from '../route.ts'

export const siteRoutes = {
  donations: route({
    method: 'GET',
    path: '/donate',
    summary: 'Whether the operator takes tips, which are bought as a `donation`.',
    access: 'public',
    output: z.object({ taken: z.boolean() }),
  }),
  config: route({
    method: 'GET',
    path: '/config',
    summary: 'The settings the client needs (docs/product.md, Sandbox and sample data).',
    access: 'public',
    restricted: 'allowed',
    output: z.object({
      brand: z.object({
        name: z.string(),
        operator: z.string(),
        email: z.string(),
        forumAccount: z.string(),
        /** Where post reaches the operator; null when the setting is empty. */
        address: z.string().nullable(),
        /** The operator's page on a social site; null without one. */
        socialUrl: z.string().nullable(),
        /** Address of the how-to page's video; null without one. */
        howToVideo: z.string().nullable(),
      }),
      payments: z.object({
        scriptUrl: z.string(),
        apiLoginID: z.string(),
        clientKey: z.string(),
        /** What the platform keeps of a sale (`split` in contract/money.ts). */
        feePercent: z.number(),
        /** How commissions for referrals are counted (docs/product.md, Referrals). */
        commission: z.enum(COMMISSION_READINGS),
      }),
      forum: z.object({
        name: z.string(),
        /** Whether there is one that creators can promote their work on. */
        available: z.boolean(),
      }),
      /** Path of the page that shows caught mail, etc.; null with real services. */
      sandbox: z
        .object({
          mail: z.string(),
          payments: z.string(),
          age: z.string().nullable(),
          forum: z.string().nullable(),
        })
        .nullable(),
      features: z.object({ publishing: z.boolean(), ageCheck: z.boolean() }),
      limits: z.object({
        maxFileBytes: z.number().int(),
        /** What something is sold for at least. */
        lowestPrice: z.string(),
      }),
    }),
  }),
}
