import type { z } from 'zod'
import type { Permission } from './permissions.ts'

/**
 * Who may call. `session`: anyone logged in, the email confirmed or not. `user`: logged in with a confirmed email.
 * `creator`: a `user` who creates; `permission`: a `user` whose role has it. A stranger gets 401, the wrong kind 403.
 */
export type Access = 'public' | 'session' | 'user' | 'creator' | { permission: Permission }

/** One call of the API: the single source for the server's mount, the client's `call`, the tests and OpenAPI. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below `/api`, parameters as `:name`. */
  path: string
  access: Access
  /** A field of query or body that must name the acting person; another's id is a 403. Optional in the schema: absent means the session's. */
  self?: string
  /** `allowed`: answers in a restricted region too (docs/product.md, Regions and age). Everything else answers 451 there. */
  restricted?: 'allowed'
  /** `recent`: only for who has re-authenticated within 10 minutes (ASVS 5.0, 7.5.1). */
  reauthentication?: 'recent'
  /** `required`: sells or shows something, which is refused while publishing is closed. */
  publishing?: 'required'
  /** Also for an operator who has yet to set up the second factor that is required. */
  withoutSecondFactor?: 'allowed'
  /** `manual`: the handler opens its own short transactions because it speaks to a third party. */
  transaction?: 'manual'
  /** Honors `Idempotency-Key` (docs/product.md, Calls). `sealed`: what is kept of the answer is encrypted. */
  idempotent?: true | 'sealed'
  /**
   * At most `points` calls per `seconds`, counted per account, else per network. With the field `by` they are counted by
   * its value, and by network up to `pointsPerAddress`: every call, or failures alone. Where the value is an address
   * that was logged in on the calling device before, failures are that device's.
   */
  rateLimit?:
    | { points: number; seconds: number }
    | { points: number; seconds: number; by: string; pointsPerAddress: number; counts: 'calls' | 'failures' }
  /** `bytes`: the body is a stream that the handler reads itself. */
  bytes?: true
  /** The body comes as `multipart/form-data` with files, or without files as JSON. */
  multipart?: true
  /** Answers with a file of this type in place of JSON, sent as it is made; `output` says nothing then. */
  file?: 'text/csv' | 'application/pdf'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  output: z.ZodType
  /** One line for the OpenAPI document. */
  summary: string
}

/** Keeps the exact type of a route, so that handlers and callers are typed by it. */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined

/** A handler's input after parsing. */
export type Params<R extends Route> = Parsed<R['params']>
export type Query<R extends Route> = Parsed<R['query']>
export type Body<R extends Route> = Parsed<R['body']>
/** A handler's output, which the caller receives. */
export type Output<R extends Route> = z.output<R['output']>

/** A caller's input: only the parts that the route has. */
export type Input<R extends Route> = (R['params'] extends z.ZodType
  ? { params: Sent<R['params']> }
  : object) &
  (R['query'] extends z.ZodType ? { query: Sent<R['query']> } : object) &
  (R['body'] extends z.ZodType ? { body: Sent<R['body']> } : object)
