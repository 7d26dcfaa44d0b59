import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_TARGETS, BY_SERVER } from '../../audit.ts'
import { ROLES } from '../../permissions.ts'
import { route } from '../../route.ts'
import { Day, Id, line, listOf, Moment, Page, TimeZone } from '../../schemas.ts'

const Role = z.enum(ROLES).nullable()

/** A person; null without a profile to open: deleted, or about to be. */
const Named = z.object({ username: z.string().nullable() })

/** One entry of the audit log: who did what, about whom or what, when, and why. */
export const AuditEntry = z.object({
  _id: Id,
  action: z.enum(AUDIT_ACTIONS),
  at: Moment,
  /** Null of a command on the server, and of what the product does by itself. */
  actor: Named.nullable(),
  target: z.object({
    kind: z.enum(AUDIT_TARGETS),
    /** An id, or the name of what has none, such as a subreddit. */
    _id: z.string(),
    /** Whether it has a page that still exists. */
    exists: z.boolean(),
    /** Whose it is, or who it is; null of what is nobody's. */
    owner: Named.nullable(),
  }),
  reason: z.string(),
  /** What the action’s sentence says beyond that; what an action doesn’t have is left out. */
  facts: z.object({
    /** Who got it. */
    person: Named.optional(),
    amount: z.string().optional(),
    count: z.number().int().optional(),
    role: z.object({ from: Role, to: Role }).optional(),
    days: z.number().int().optional(),
    months: z.number().int().optional(),
    /** The month of a statement: `2026-10`. */
    month: z.string().optional(),
    /** The name of a subreddit, or of a region. */
    name: z.string().optional(),
    /** It was so already, and became so otherwise. */
    again: z.boolean().optional(),
  }),
})

export const auditRoutes = {
  audit: route({
    method: 'GET',
    path: '/admin/audit',
    summary: 'The audit log, newest first: what operators did, and commands on the server.',
    access: { permission: 'audit.read' },
    query: Page.extend({
      /** The operator who did it, or `server`. */
      actor: z.union([z.literal(BY_SERVER), Id]).optional(),
      action: z.enum(AUDIT_ACTIONS).optional(),
      /** Whom or what it was about: a whole username or email, a subreddit (`r/Gardens` if somebody is called so), or an id. */
      about: line(254).optional(),
      /** The first and the last day. */
      from: Day.optional(),
      to: Day.optional(),
      timeZone: TimeZone.default('UTC'),
    }),
    output: listOf(AuditEntry),
  }),
  auditActors: route({
    method: 'GET',
    path: '/admin/auditactors',
    summary: 'Everybody who did something in the audit log, by username.',
    access: { permission: 'audit.read' },
    output: z.object({ items: z.array(Named.extend({ _id: Id })) }),
  }),
}
