import type { FastifyRequest } from 'fastify'
import { can, isOperator } from '../../contract/permissions.ts'
import type { Route } from '../../contract/route.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { AgeChecks } from '../ports/age/port.ts'
import type { Place } from '../ports/geo/port.ts'
import type { Viewer } from '../viewer.ts'

/** The domains' functions that access checks need; `app.ts` passes them in. */
export type AccessGuards = {
  /** The person of a bearer token, or null when there is none, expired or revoked. */
  authenticate(db: Db, token: string, now: Date): Promise<Viewer | null>
  /** Whether content is withheld from this person or visit at this place: one query, none for an unknown place. */
  withheld(
    db: Db,
    visitor: {
      place: Place
      userId: string | null
      ageVisit: string | null
      ageChecks: AgeChecks | null
      now: Date
    },
  ): Promise<boolean>
}

/** The caller, if they may call this route; otherwise throws the refusal. */
export async function requireAccess(
  route: Route,
  request: FastifyRequest,
  context: Context,
  guards: AccessGuards,
  now: Date,
): Promise<Viewer | null> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  return viewerOf(route, token ?? '', context, guards, now)
}

/** The person of a bearer token, if they may call this route; otherwise throws the refusal. */
export async function viewerOf(
  route: Guarded,
  token: string,
  context: Context,
  guards: AccessGuards,
  now: Date,
): Promise<Viewer | null> {
  const person = TOKEN.test(token) ? await guards.authenticate(context.db, token, now) : null
  const viewer = enrolled(context, route, person)
  authorize(route, viewer)
  requirePublishing(route, context)
  return viewer
}

const TOKEN = /^[A-Za-z0-9_-]{20,100}$/

/** The parts of a route that decide who may call it and when. */
type Guarded = Pick<Route, 'access' | 'reauthentication' | 'publishing' | 'withoutSecondFactor'>

/** An operator without the required second factor may only set it up; public calls treat them as a visitor. */
function enrolled(context: Context, route: Guarded, viewer: Viewer | null): Viewer | null {
  const lacks = context.secondFactorRequired && isOperator(viewer) && !viewer?.secondFactor
  if (!lacks || route.withoutSecondFactor === 'allowed') return viewer
  if (route.access === 'public') return null
  throw new AppError('second_factor_required')
}

/** Throws unless this viewer may call the route. */
export function authorize(route: Guarded, viewer: Viewer | null): void {
  const { access } = route
  if (access === 'public') return
  if (!viewer) throw new AppError('not_authenticated')
  if (access !== 'session' && !viewer.emailVerified) throw new AppError('email_unverified')
  if (access === 'creator' && !viewer.isCreator) throw new AppError('creators_only')
  if (typeof access === 'object' && !can(viewer, access.permission)) throw new AppError('permission_required')
  if (route.reauthentication === 'recent' && !viewer.reauthenticated)
    throw new AppError('reauthentication_required')
}

/** Throws while publishing is closed, if the route requires it to be open. */
function requirePublishing(route: Guarded, { publishingOpen }: Context): void {
  if (route.publishing === 'required' && !publishingOpen) throw new AppError('publishing_closed')
}

/** Throws where the law withholds content from everybody whose age isn't approved. */
export async function requireOpenRegion(
  route: Pick<Route, 'restricted'>,
  visitor: { viewer: Viewer | null; place: Place; ageVisit: string | null; now: Date },
  context: Context,
  guards: AccessGuards,
): Promise<void> {
  const { viewer, ...where } = visitor
  const { db, ageChecks } = context
  if (route.restricted === 'allowed' || viewer?.ageApproved) return
  if (await guards.withheld(db, { ...where, userId: viewer?.id ?? null, ageChecks }))
    throw new AppError('region_restricted')
}
