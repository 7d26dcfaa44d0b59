import '@fastify/cookie'
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const DEVICE = 'cookie.device'
const DEVICE_NAME = 'device_'
const AGE = 'age'
const AGE_VISIT = 'age_visit'
const READER = 'media_reader'

function options(context: Context) {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: context.publicUrl.startsWith('https:'),
    maxAge: YEAR_SECONDS,
  } as const
}

function readSigned(context: Context, request: FastifyRequest, name: string): string | null {
  const [value, signature] = (request.cookies[name] ?? '').split('~')
  return value && signature && context.signer.verify(`cookie.${name}`, value, signature) ? value : null
}

/** Signs with the newest key what an older one has signed, so that older keys can be taken out after a while. */
function renewCookies(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  for (const name of [AGE, AGE_VISIT, READER]) {
    const [, signature] = (request.cookies[name] ?? '').split('~')
    if (!signature || context.signer.isCurrent(signature)) continue
    const value = readSigned(context, request, name)
    if (value) writeSigned(context, reply, name, value)
  }
}

function writeSigned(context: Context, reply: FastifyReply, name: string, value: string): void {
  reply.setCookie(name, `${value}~${context.signer.sign(`cookie.${name}`, value)}`, options(context))
}

/** Whether this browser's visitor said to be of age (docs/product.md, Regions and age). */
export function hasAgeCookie(context: Context, request: FastifyRequest): boolean {
  return readSigned(context, request, AGE) === 'yes'
}

export function rememberAge(context: Context, reply: FastifyReply): void {
  writeSigned(context, reply, AGE, 'yes')
}

/** The visit of this browser that age checks are bound to, or null before the first one. */
export function ageVisitOf(context: Context, request: FastifyRequest): string | null {
  return readSigned(context, request, AGE_VISIT)
}

/** The same, made when there is none yet. */
export function startAgeVisit(context: Context, request: FastifyRequest, reply: FastifyReply): string {
  const visit = ageVisitOf(context, request) ?? randomUUID()
  writeSigned(context, reply, AGE_VISIT, visit)
  return visit
}

/**
 * What media links are bound to: `s.<session id>` or `v.<visit id>`, from the companion cookie. A picture's request
 * has no Authorization header, so this cookie is what proves that the browser is the one the link was made for.
 */
export function companionKey(context: Context, request: FastifyRequest): string | null {
  return readSigned(context, request, READER)
}

/**
 * Makes sure that the answer's browser holds the companion cookie of its session, or of a visit, and returns the key.
 * A call without a token leaves the cookie of a session that `isLive`; one that ended opens nothing, and is replaced.
 */
export async function ensureCompanion(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { sessionId, isLive }: { sessionId: string | null; isLive: (sessionId: string) => Promise<boolean> },
): Promise<string> {
  renewCookies(context, request, reply)
  const held = companionKey(context, request)
  const wanted = sessionId ? `s.${sessionId}` : await visitKey(held, isLive)
  if (held !== wanted) writeSigned(context, reply, READER, wanted)
  return wanted
}

async function visitKey(
  held: string | null,
  isLive: (sessionId: string) => Promise<boolean>,
): Promise<string> {
  if (held && (held.startsWith('v.') || (await isLive(held.slice('s.'.length))))) return held
  return `v.${randomUUID()}`
}

export function bindMediaLinks(context: Context, reply: FastifyReply, sessionId: string | null): void {
  writeSigned(context, reply, READER, sessionId ? `s.${sessionId}` : `v.${randomUUID()}`)
}

/**
 * The id of this browser if somebody logged in by this address on it before, else null. The cookie's name is made from
 * the address by a key, so that it tells nobody whose it is; an older key made another name, so all are tried.
 */
export function knownDeviceOf(context: Context, request: FastifyRequest, email: string): string | null {
  for (const [name, cookie = ''] of Object.entries(request.cookies)) {
    if (!name.startsWith(DEVICE_NAME)) continue
    const [id, signature] = cookie.split('~')
    if (id && signature && context.signer.verify(DEVICE, `${id} ${email}`, signature)) return id
  }
  return null
}

/** Makes this browser one that is known for the address. */
export function rememberDevice(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): void {
  const id = knownDeviceOf(context, request, email) ?? randomUUID()
  const signature = context.signer.sign(DEVICE, `${id} ${email}`)
  const name = DEVICE_NAME + context.signer.sign(`${DEVICE}.name`, email).slice(0, 16)
  reply.setCookie(name, `${id}~${signature}`, options(context))
}
