import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { longWaitText } from '../../contract/errors/calls.ts'
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts'
import { AppError } from '../errors.ts'

// PostgreSQL's errors for values that it can't take: NUL in text and JSON, numbers out of range, malformed uuids, and
// unknown time zones.
const BAD_VALUE = new Set(['22021', '22P05', '22003', '22P02', '22007', '22008', '22023'])

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_REQ_FILE_TOO_LARGE: 'upload_too_large',
  FST_FILES_LIMIT: 'body_too_large',
  FST_FIELDS_LIMIT: 'body_too_large',
  FST_PARTS_LIMIT: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** Turns everything thrown into an answer: known refusals by code, anything else into a plain 500 (docs/product.md, Calls). */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) {
    const details: Record<string, string> = {}
    for (const { path, message } of error.issues) details[path.join('.') || 'body'] ??= message
    return new AppError('invalid_input', { details })
  }
  const { code, statusCode } = error as Partial<FastifyError>
  if (code && BAD_VALUE.has(code)) return new AppError('invalid_input')
  const known = code ? FASTIFY_CODES[code] : undefined
  if (known) return new AppError(known)
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError('malformed_body')
  return new AppError('internal')
}

/** Refusals whose only detail is the sentence itself. */
const SAID: ErrorCode[] = ['invalid_input', 'post_breaks_rule', 'refund_batch_failed']

/** The body of a refused call: the sentence, its code, and errors by field. */
export function errorBody(error: AppError): ErrorBody {
  // A single field's error becomes the sentence; several stay at their fields.
  const known: { text: string; field?: string } = errors[error.code]
  const details = error.details ?? (known.field ? { [known.field]: known.text } : undefined)
  const [only, ...others] = Object.values(error.details ?? {})
  const isSaid = SAID.includes(error.code)
  const outright = isSaid && others.length === 0 && only
  return {
    error: outright || waitText(error) || known.text,
    code: error.code,
    ...(details ? { details } : {}),
  }
}

/** Who may have to wait for hours isn't told to wait a moment. */
function waitText({ code, retryAfterSeconds = 0 }: AppError): string | null {
  return code === 'rate_limited' && retryAfterSeconds > 60 ? longWaitText(retryAfterSeconds) : null
}

/** Sends whatever was thrown; anything that isn't an `AppError` is logged and sent as `internal`. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = toAppError(thrown)
  if (error.code === 'internal') request.log.error({ err: thrown }, 'request failed')
  if (error.retryAfterSeconds) reply.header('retry-after', String(error.retryAfterSeconds))
  return reply
    .code(errors[error.code].status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(error))
}

/** Handles errors of the app's handlers and hooks. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
}
