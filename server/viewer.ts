import { randomUUID } from 'node:crypto'
import { can, type Role } from '../contract/permissions.ts'
import type { Place } from './ports/geo/port.ts'

/** The acting person: made from the session only, never from the call's input (docs/product.md, Access). */
export type Viewer = {
  id: string
  sessionId: string
  username: string
  email: string
  emailVerified: boolean
  isCreator: boolean
  role: Role | null
  ageConfirmed: boolean
  ageApproved: boolean
  /** Known of operators only, whom it may be required of. */
  secondFactor: boolean
  /** Whether they proved within 10 minutes, in this session, that it's them. */
  reauthenticated: boolean
}

/** The viewer and their place: nothing else decides which of other people's things they may see. */
export type Audience = {
  /** Null for a visitor. */
  id: string | null
  place: Place
  /** An operator whom neither block, hidden region nor suspension keeps out. */
  reachesAll: boolean
  /** An operator who sees locked and private items as well. */
  viewsAll: boolean
}

/** An audience to whom people are shown: a creator is shown their own fans (docs/product.md, Who finds whom). */
export type PeopleAudience = Audience & { isCreator: boolean }

/** The audience that a call, or a request for a file, is answered to. */
export function audienceOf(
  person: { id: string; role: Role | null; isCreator: boolean } | null,
  place: Place,
): PeopleAudience {
  return {
    id: person?.id ?? null,
    place,
    isCreator: person?.isCreator ?? false,
    reachesAll: can(person, 'people.viewAll'),
    viewsAll: can(person, 'media.viewAll'),
  }
}

/**
 * The binding of signed media links: `s.<session id>` or `v.<visit id>`, the value of the companion cookie that only
 * this browser holds, so that a link passed on to anybody else opens nothing.
 */
export type Companion = { key: `s.${string}` | `v.${string}` }

/** The companion of a session, or with null of a visit that begins. */
export function companionOf(sessionId: string | null): Companion['key'] {
  return sessionId ? `s.${sessionId}` : `v.${randomUUID()}`
}
