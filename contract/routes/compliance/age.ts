import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line, Moment, Reason, Success } from '../../schemas.ts'

export const AgeCheckResult = z.enum(['approved', 'refused', 'expired'])
/** By whom an age is verified: the provider's check, the operator's approval, or only the visitor's own yes. */
export const AgeVerifier = z.enum(['provider', 'operator', 'visitor'])

export const ageRoutes = {
  ageVerified: route({
    method: 'GET',
    path: '/users/age-verified',
    summary: 'Whether this visitor has confirmed (or proven, in a restricted region) their age.',
    access: 'public',
    restricted: 'allowed',
    output: z.object({ ageVerified: z.boolean(), verifiedBy: AgeVerifier.nullable() }),
  }),
  confirmAge: route({
    method: 'POST',
    path: '/users/age-verified',
    summary: 'The visitor confirms being 18 or older; kept in a signed cookie and on the account.',
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
  startAgeCheck: route({
    method: 'POST',
    path: '/users/age-check',
    summary: 'Starts an age check with the provider, for the account or for this browser’s visit.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 20, seconds: 3600 },
    output: z.object({ url: z.url() }),
  }),
  finishAgeCheck: route({
    method: 'POST',
    path: '/users/age-check/return',
    summary: 'Reads the provider’s signed result that the visitor brought back.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 60, seconds: 3600 },
    body: z.object({ result: z.string().max(4000), signature: z.string().max(200) }),
    output: z.object({ result: AgeCheckResult, expiresAt: Moment.nullable() }),
  }),
  ageResult: route({
    method: 'POST',
    path: '/age/result',
    summary: 'Webhook of the age-verification provider: the raw body is signed in X-Age-Signature.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    bytes: true,
    output: Success,
  }),
  personAge: route({
    method: 'GET',
    path: '/admin/age',
    summary: 'A person’s known age, by username or email address.',
    access: { permission: 'people.approveAge' },
    restricted: 'allowed',
    query: z.object({ person: line(254).min(1, 'Enter a username or email address.') }),
    output: z.object({
      userId: Id,
      username: z.string(),
      email: z.string(),
      /** The operator's own approval. */
      approved: z.object({ at: Moment, by: z.string().nullable(), reason: z.string() }).nullable(),
      /** Approvals of a provider that count now. */
      verifications: z.array(
        z.object({ provider: z.string(), method: z.string(), decidedAt: Moment, expiresAt: Moment }),
      ),
    }),
  }),
  approveAge: route({
    method: 'POST',
    path: '/admin/approveage',
    summary: 'Approves a person’s age manually.',
    access: { permission: 'people.approveAge' },
    restricted: 'allowed',
    body: z.object({ userId: Id, reason: Reason }),
    output: Success,
  }),
  revokeAge: route({
    method: 'POST',
    path: '/admin/revokeage',
    summary: 'Revokes every approval of a person’s age, including the provider’s.',
    access: { permission: 'people.approveAge' },
    restricted: 'allowed',
    body: z.object({ userId: Id, reason: Reason }),
    output: Success,
  }),
}
