import type { ConnectionFailure, Effect } from '../effects.ts'

/** One authenticated call that passed the schema. */
export type Call = {
  /** The content of the root element. */
  request: unknown
  refId: string
  /** A fault that the admin endpoint planned for this call. */
  fault: Effect | null
}

/** The gateway's answer, and how the connection then behaves. */
export type Reply = {
  body: Record<string, unknown>
  connection?: { failure: ConnectionFailure; processed: boolean }
  delayMilliseconds?: number
}
