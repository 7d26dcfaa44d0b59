import { z } from 'zod'
import { route } from '../route.ts'
import { Id, line, Moment, Success } from '../schemas.ts'

export const AgeCheckResult = z.enum(['approved', 'refused', 'expired'])

export const Reason = line(500).min(3, 'Say why, in a few words.')
const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Use the two letters of a country, such as US.')
const RegionCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{1,3}$/, 'Use the short code of the region, such as TX.')

export const RestrictedRegion = z.object({
  country: z.string(),
  code: z.string(),
  name: z.string(),
  /** Whether the sentence on VPNs may be shown there. */
  vpnHint: z.boolean(),
  /** Who changed it last and when; null for what the software came with. */
  changed: z.object({ by: z.string(), at: Moment, reason: z.string() }).nullable(),
})

export const gateRoutes = {
  startAgeCheck: route({
    method: 'POST',
    path: '/users/age-check',
    summary: 'Starts an age check at the provider, for the account or for this browser’s visit.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 20, seconds: 3600 },
    output: z.object({ url: z.url() }),
  }),
  finishAgeCheck: route({
    method: 'POST',
    path: '/users/age-check/return',
    summary: 'What the visitor brought back from the provider, signed by it.',
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
  regions: route({
    method: 'GET',
    path: '/admin/regions',
    summary: 'The restricted regions, by country and name, and who changed them last.',
    access: 'superadmin',
    restricted: 'allowed',
    output: z.object({ items: z.array(RestrictedRegion) }),
  }),
  setRegion: route({
    method: 'POST',
    path: '/admin/regions',
    summary: 'Adds a restricted region, or changes the one with this country and code.',
    access: 'superadmin',
    restricted: 'allowed',
    body: z.object({
      country: Country,
      code: RegionCode,
      name: line(80).min(2, 'Write the full name of the region.'),
      vpnHint: z.boolean(),
      reason: Reason,
    }),
    output: Success,
  }),
  removeRegion: route({
    method: 'POST',
    path: '/admin/regions/remove',
    summary: 'Ends the restriction of a region.',
    access: 'superadmin',
    restricted: 'allowed',
    body: z.object({ country: Country, code: RegionCode, reason: Reason }),
    output: Success,
  }),
  personAge: route({
    method: 'GET',
    path: '/admin/age',
    summary: 'What is known of a person’s age, found by username or e-mail address.',
    access: 'superadmin',
    restricted: 'allowed',
    query: z.object({ person: line(254).min(1, 'Enter a username or an e-mail address.') }),
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
    summary: 'The operator vouches for a person’s age.',
    access: 'superadmin',
    restricted: 'allowed',
    body: z.object({ userId: Id, reason: Reason }),
    output: Success,
  }),
  revokeAge: route({
    method: 'POST',
    path: '/admin/revokeage',
    summary: 'Takes back every approval of a person’s age, a provider’s too.',
    access: 'superadmin',
    restricted: 'allowed',
    body: z.object({ userId: Id, reason: Reason }),
    output: Success,
  }),
}
