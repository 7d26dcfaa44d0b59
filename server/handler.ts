import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Routes } from '../contract/index.ts'
import type { Acknowledgement, clientEvents, Signal } from '../contract/realtime.ts'
import type { Body, Params, Query, Route } from '../contract/route.ts'
import type { Context } from './context.ts'
import type { Db, Tx } from './db/client.ts'
import type { Place } from './ports/geo/port.ts'
import type { Connection, Connections } from './realtime/connections.ts'
import type { Companion, PeopleAudience, Viewer } from './viewer.ts'

/** The files of a form by their field names. */
export type UploadedFiles = Map<string, Buffer>

/**
 * The arguments of a handler. `db` is the open transaction; for a GET and a `transaction: 'manual'` route it is
 * read-only.
 */
export type HandlerRequest<R extends Route> = {
  context: Context
  db: R extends { method: 'GET' } | { transaction: 'manual' } ? Db : Tx
  viewer: R['access'] extends 'public' ? Viewer | null : Viewer
  /** The viewer, for whom other people's things are read. */
  audience: R['access'] extends 'public' ? PeopleAudience : PeopleAudience & { id: string }
  /** The binding of signed media links in the answer. */
  companion: Companion
  params: Params<R>
  query: Query<R>
  body: Body<R>
  /** The moment that the whole call happens at. */
  now: Date
  client: {
    ip: string
    userAgent: string
    place: Place
    /** Whether it calls from the machine of the server, and through no proxy. */
    isFromHere: boolean
  }
  /** The signed cookies of this browser. */
  cookies: CookieJar
  idempotencyKey: string | null
  /** The body of a `bytes` route, and what it came with. */
  stream: Readable
  header: (name: string) => string | undefined
  /** The files and fields of a `multipart` route's body; empty for others. */
  files: UploadedFiles
  answer: {
    status(code: number): void
    header(name: string, value: string): void
  }
}

type ClientEvents = typeof clientEvents

/** The arguments of a socket event's handler; no transaction is open. */
export type SocketEvent<Name extends keyof ClientEvents> = {
  context: Context
  connection: Connection
  event: z.output<ClientEvents[Name]>
  now: Date
}

/** Tells others who is connected to this process. */
export type Presence = {
  /** Somebody is about to connect; resolves once that is noted, or can't be yet. */
  comes(userId: string): Promise<void>
  /** Somebody’s sockets came or went. */
  changed(userId: string): void
  /** Removes those whose process no longer runs, and tells others. */
  sweep(): Promise<void>
  /** Nobody is connected here yet, or anymore; resolves once that is noted. */
  clear(): Promise<void>
}

/** The domains' handlers for sockets; the events and signals are the contract's. */
export type Realtime = {
  /** Throws unless these are the two people of that conversation, and the viewer one of them. */
  admit(db: Db, asked: { viewerId: string; conversationId: string; participantIds: string[] }): Promise<void>
  /** Keeps in which time zone a person's browser is, if none is kept yet. */
  noteTimeZone(db: Db, noted: { userId: string; timeZone: string; now: Date }): Promise<void>
  /**
   * Returns the action of each event, which is called once it is known that its person may still act, and as whom; it
   * answers what the sender gets besides `ok`. The handler itself only reads ahead.
   */
  events: {
    [Name in keyof ClientEvents]: (
      request: SocketEvent<Name>,
    ) => () => Promise<Omit<Extract<z.input<typeof Acknowledgement>, { ok: true }>, 'ok'>>
  }
  /** Makes what notes who is connected here; `listener` names this process at the database. */
  createPresence(context: Context, connections: Connections, listener: () => number): Presence
  /** Creates the listener that delivers each signal to the people it concerns who are connected here. */
  createDelivery(context: Context, connections: Connections): (signal: Signal) => void
}

/** The cookies that we sign, by name, and what each holds. */
export type SignedCookies = {
  /** That the visitor said to be of age (docs/product.md, Regions and age). */
  age: 'yes'
  /** The visit of this browser that age checks are bound to. */
  age_visit: string
  /** The binding of media links: a picture's request has no header that names its viewer. */
  media_viewer: Companion['key']
}

/** The signed cookies that came with a call, and those of its answer. */
export type CookieJar = {
  /** The value of this cookie; null without one of ours. */
  get<N extends keyof SignedCookies>(name: N): SignedCookies[N] | null
  set<N extends keyof SignedCookies>(name: N, value: SignedCookies[N]): void
  /** The id of this browser if somebody logged in by this address on it before. */
  knownDevice(email: string): string | null
  /** Makes this browser known for the address: guesses made elsewhere don't keep it out. */
  rememberDevice(email: string): void
}

/** One handler for every route of the contract; a missing one does not compile. */
export type Handlers = {
  [K in keyof Routes]: (
    request: HandlerRequest<Routes[K]>,
  ) => Promise<Routes[K] extends { file: string } ? AnsweredFile : z.input<Routes[K]['output']>>
}

/** The answer of a `file` route; the name is plain ASCII. */
export type AnsweredFile = { name: string; body: Buffer | Readable }

/** The public preview of a page when its address is shared: nothing that is locked or hidden from anybody. */
export type PagePreview = {
  kind: 'profile' | 'article' | 'website'
  title: string
  description: string
  /** The page's one address. */
  path: string
  /** Path of a picture, or null for the site's own. */
  image: string | null
  /** Path of the picture that the page shows first and largest, to be fetched before the page asks for it. */
  first?: string | null
  /** Whether search engines should keep the page. */
  index: boolean
}

/** One stored object that the viewer was found entitled to. */
export type ServedFile = {
  mime: string
  bytes: number
  /** `private`: never kept by any cache. `minutes`: by the browser alone, which soon asks again whether it may. */
  cache: 'private' | 'minutes'
  /** The entity tag (RFC 9110 §8.8.3) of a file that is kept, by which a browser need not fetch it again. */
  tag?: string
  /** Whether another `Accept` header could have been answered with another file. */
  varies?: boolean
  open(range?: { start: number; end: number }): Promise<Readable | null>
  /** Whether the viewer may still have it: asked again and again while it is being sent. */
  stillAllowed?(now: Date): Promise<boolean>
}

/** A video of the site itself, which anybody may see. */
export type StoredVideo = {
  bytes: number
  open(range?: { start: number; end: number }): Promise<Readable | null>
}

/** Finds what a media address opens for this viewer; throws `link_expired` or `media_not_found`. */
export type OpenFile = (request: {
  path: string
  query: Record<string, string>
  companionKey: string | null
  ip: string
  place: Place
  /** The `Accept` header; empty when there is none. */
  accept: string
  now: Date
}) => Promise<ServedFile>
