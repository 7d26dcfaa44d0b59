import { z } from 'zod'
import { route } from '../../route.ts'
import { line, Moment, Reason, Success } from '../../schemas.ts'
import { US_STATES, US_TERRITORIES } from '../../states.ts'

const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Enter a two-letter country code, like US.')

const RegionCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{1,3}$/, 'Enter a short region code, like TX.')

/** A visitor's state is known by its full name; its code keeps it from being listed twice. Both have to be of one state. */
const isOneState: z.core.CheckFn<{ country: string; code: string; name: string }> = ({ value, issues }) => {
  const { country, code, name } = value
  if (country !== 'US') return
  const state = [...US_STATES, ...US_TERRITORIES].find((one) => one.code === code)
  const wrong = (path: string, message: string) =>
    issues.push({ code: 'custom', input: value, path: [path], message })
  if (!state) wrong('code', 'Enter a state code, like TX.')
  else if (state.name.toLowerCase() !== name.toLowerCase())
    wrong('name', `${code} is ${state.name}. Enter that name or change the code.`)
}

export const RestrictedRegion = z.object({
  country: z.string(),
  code: z.string(),
  name: z.string(),
  /** Whether the sentence on VPNs may be shown there. */
  vpnHint: z.boolean(),
  /** The last change: who and when; null for the list that comes with the software. */
  changed: z.object({ by: z.string(), at: Moment, reason: z.string() }).nullable(),
})

export const regionRoutes = {
  regions: route({
    method: 'GET',
    path: '/admin/regions',
    summary: 'The restricted regions by country and name, and who last changed them.',
    access: { permission: 'regions.edit' },
    restricted: 'allowed',
    output: z.object({ items: z.array(RestrictedRegion) }),
  }),
  setRegion: route({
    method: 'POST',
    path: '/admin/regions',
    summary: 'Adds a restricted region, or changes the one with this country and code.',
    access: { permission: 'regions.edit' },
    restricted: 'allowed',
    body: z
      .object({
        country: Country,
        code: RegionCode,
        name: line(80).min(2, 'Enter the region’s full name.'),
        vpnHint: z.boolean(),
        reason: Reason,
      })
      .check(isOneState),
    output: Success,
  }),
  removeRegion: route({
    method: 'POST',
    path: '/admin/regions/remove',
    summary: 'Removes a restricted region.',
    access: { permission: 'regions.edit' },
    restricted: 'allowed',
    body: z.object({ country: Country, code: RegionCode, reason: Reason }),
    output: Success,
  }),
}
