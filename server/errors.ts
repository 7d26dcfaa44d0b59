import type { ErrorCode } from '../contract/errors.ts'

/** A refusal that the caller is told: `code` decides status and sentence (contract/errors.ts). */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined
  /** What came of a call that was made, such as a third party's no: repetitions get it as well. */
  readonly isOutcome: boolean

  constructor(
    code: ErrorCode,
    more: { details?: Record<string, string>; retryAfterSeconds?: number; isOutcome?: boolean } = {},
  ) {
    super(code)
    this.code = code
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.isOutcome = more.isOutcome ?? false
  }
}

/** A start that can't go on; the message is one sentence that says what to do. */
export class StartError extends Error {}

const INTEGRITY_VIOLATION = '23'

/** Whether the database refused a row because of this key, index or constraint. */
export function violates(error: unknown, constraint: string): boolean {
  const cause = error as { code?: string; constraint?: string } | null
  return cause?.code?.startsWith(INTEGRITY_VIOLATION) === true && cause.constraint === constraint
}
