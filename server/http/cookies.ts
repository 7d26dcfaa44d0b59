import '@fastify/cookie'
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { CookieJar, SignedCookies } from '../handler.ts'
import { companionOf } from '../viewer.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const DEVICE = 'cookie.device'
const DEVICE_NAME = 'device_'

/** Validates each cookie's signed value; a name without an entry doesn't compile. */
const holds: { [N in keyof SignedCookies]: (value: string) => value is SignedCookies[N] } = {
  age: (value) => value === 'yes',
  age_visit: (value): value is string => true,
  media_viewer: (value): value is SignedCookies['media_viewer'] => /^[sv]\../.test(value),
}
const NAMES = Object.keys(holds) as (keyof SignedCookies)[]

function options(context: Context) {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: context.publicUrl.startsWith('https:'),
    maxAge: YEAR_SECONDS,
  } as const
}

function signatureOf(
  request: Pick<FastifyRequest, 'cookies'>,
  name: string,
): [value: string, signature: string] {
  const [value = '', signature = ''] = (request.cookies[name] ?? '').split('~')
  return [value, signature]
}

/** A signed cookie's value; null if it is missing or its signature isn't ours. */
export function readCookie<N extends keyof SignedCookies>(
  context: Context,
  request: Pick<FastifyRequest, 'cookies'>,
  name: N,
): SignedCookies[N] | null {
  const [value, signature] = signatureOf(request, name)
  const isOurs = value !== '' && context.signer.verify(`cookie.${name}`, value, signature)
  return isOurs && holds[name](value) ? value : null
}

/** A call's cookies, for its handler. */
export function cookieJar(context: Context, request: FastifyRequest, reply: FastifyReply): CookieJar {
  const { signer, lastingSigner } = context
  // The cookie's name is a keyed hash of the address, so that it reveals nothing; an older key made another name, so all keys
  // are tried.
  function knownDevice(email: string): string | null {
    for (const name of Object.keys(request.cookies)) {
      if (!name.startsWith(DEVICE_NAME)) continue
      const [id, signature] = signatureOf(request, name)
      if (id !== '' && lastingSigner.verify(DEVICE, `${id} ${email}`, signature)) return id
    }
    return null
  }
  return {
    get: (name) => readCookie(context, request, name),
    set(name, value) {
      reply.setCookie(name, `${value}~${signer.sign(`cookie.${name}`, value)}`, options(context))
    },
    knownDevice,
    rememberDevice(email) {
      const id = knownDevice(email) ?? randomUUID()
      const name = DEVICE_NAME + lastingSigner.sign(`${DEVICE}.name`, email).slice(0, 16)
      reply.setCookie(name, `${id}~${lastingSigner.sign(DEVICE, `${id} ${email}`)}`, options(context))
    },
  }
}

/** Re-signs with the newest key what an older key signed, so that older keys can be removed after a while. */
function renew<N extends keyof SignedCookies>(
  context: Context,
  request: FastifyRequest,
  jar: CookieJar,
  name: N,
): void {
  const [, signature] = signatureOf(request, name)
  if (signature === '' || context.signer.isCurrent(signature)) return
  const value = jar.get(name)
  if (value !== null) jar.set(name, value)
}

/**
 * Makes sure that the browser holds the companion cookie of its session, or of a visit, and returns the key. A call without
 * a token keeps the cookie of a live session (`isLive`); the cookie of an ended one is replaced.
 */
export async function ensureCompanion(
  context: Context,
  request: FastifyRequest,
  jar: CookieJar,
  { sessionId, isLive }: { sessionId: string | null; isLive: (sessionId: string) => Promise<boolean> },
): Promise<SignedCookies['media_viewer']> {
  for (const name of NAMES) renew(context, request, jar, name)
  const held = jar.get('media_viewer')
  const wanted = sessionId ? companionOf(sessionId) : await visitKey(held, isLive)
  if (held !== wanted) jar.set('media_viewer', wanted)
  return wanted
}

async function visitKey(
  held: SignedCookies['media_viewer'] | null,
  isLive: (sessionId: string) => Promise<boolean>,
): Promise<SignedCookies['media_viewer']> {
  if (held && (held.startsWith('v.') || (await isLive(held.slice('s.'.length))))) return held
  return companionOf(null)
}
