import { z } from 'zod'
import { route } from '../../route.ts'
import { Day, Id, Reason } from '../../schemas.ts'

/** A calendar month of UTC: `2026-10`. */
export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month like 2026-10.')
  .refine((month) => Day.safeParse(`${month}-01`).success, 'Enter a month like 2026-10.')

export const statementRoutes = {
  statements: route({
    method: 'GET',
    path: '/users/statements',
    summary: 'The finished months of which the caller has a statement, newest first.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({
      /** At most those of the last ten years. */
      items: z.array(z.object({ month: Month, change: z.string(), closing: z.string() })),
    }),
  }),
  statementFile: route({
    method: 'GET',
    path: '/users/statements/:month',
    summary: 'The caller’s statement of a finished month as a PDF file, made from the ledger.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    rateLimit: { points: 60, seconds: 600 },
    params: z.object({ month: Month }),
    file: 'application/pdf',
    output: z.void(),
  }),
  anyStatementFile: route({
    method: 'POST',
    path: '/admin/statements',
    summary: 'Anybody’s statement of a finished month as a PDF file; the audit log says who asked for it.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ username: z.string().trim().min(1).max(60), month: Month, reason: Reason }),
    file: 'application/pdf',
    output: z.void(),
  }),
}
