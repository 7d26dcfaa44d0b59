import type { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import type { Api } from './api.ts'

/** Valid and invalid input for any route, made from its schemas. */
export const ABSENT = '01890000-0000-7000-8000-00000000dead'

/** The secrets of a browser that is sent push messages. */
const KEYS = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }

/** For each field the first of these that its schema takes is a valid value. */
export const VALID = [
  'test',
  ABSENT,
  'ada@example.test',
  '$4',
  1,
  true,
  [],
  [ABSENT],
  'true',
  '1',
  'single',
  'freeBundle',
  'reviewer',
  'approve',
  'bank',
  'fraud',
  'won',
  '❤️',
  'everyone',
  'followers',
  'gifts',
  'unknown',
  'none',
  'hours',
  ['Gardens'],
  [0],
  '18:30',
  '2026-10',
  '2026-10-02',
  '2030-01-02T03:04:05.000Z',
  'here',
  'https://push.example.test/send/x',
  KEYS,
  { endpoint: 'https://push.example.test/send/x', keys: KEYS },
  'US',
  'TX',
  Array(2).fill({ name: 'Ann', telephone: '202-224-3121' }),
  ['a'.repeat(64)],
  [{ postId: ABSENT, subreddit: 'gardens' }],
  '123456',
  1000,
  'abcdefgh',
  {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  },
]

export const PARTS = ['params', 'query', 'body'] as const
export type Part = (typeof PARTS)[number]
export type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
export type Answer = { status: number; body: unknown }

export const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
export const shapeOf = (schema: z.ZodObject | undefined) =>
  Object.entries(schema?.shape ?? {}) as [string, z.ZodType][]

export function send(
  api: Api,
  route: Route,
  { params = {}, query, body }: Parts,
  headers = {},
): ReturnType<Api['send']> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const sendsBody = route.method !== 'GET' && !route.bytes
  return api.send(route.method, path, { query, headers, ...(sendsBody ? { body: body ?? {} } : {}) })
}

function validValues(route: Route, part: Part): Record<string, unknown> {
  const required = shapeOf(route[part]).filter(([, schema]) => !accepts(schema, undefined))
  return Object.fromEntries(
    required.map(([name, schema]) => {
      const value = VALID.find((candidate) => accepts(schema, candidate))
      if (value === undefined) throw new Error(`add to VALID a value for ${name} of ${route.path}`)
      return [name, value]
    }),
  )
}

/** What a call needs beside its required fields, as one of them decides: without it all input would be bad. */
const ALSO_NEEDED: Record<string, Record<string, unknown>> = {
  // Never from an account to itself.
  'POST /admin/adjustments': { to: 'processor_fees' },
  'POST /users/bankdetails': { routingNumber: '021000021', accountNumber: '123456789' },
}

/** Only what must be there, and valid; who is meant to act is `self`. */
export function validInput(route: Route, self: string) {
  const input = {
    params: validValues(route, 'params'),
    query: validValues(route, 'query'),
    body: { ...validValues(route, 'body'), ...ALSO_NEEDED[`${route.method} ${route.path}`] },
  }
  for (const part of PARTS) {
    if (route.self && route[part]?.shape[route.self]) input[part][route.self] = self
  }
  return input
}

/** What an answer says, to be searched; a CSV file as it is. A PDF file is compressed, so that nothing is found in it. */
export const textOf = ({ body }: Pick<Answer, 'body'>): string =>
  Buffer.isBuffer(body) ? body.toString('utf8') : JSON.stringify(body ?? '')
