import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import type { AnsweredFile } from '../handler.ts'

export type AnswerSchema = Record<string, unknown>

/** The JSON schema of an answer, built on first use: building all of them would take a third of the server start. */
export function answerSchema(route: Route): () => AnswerSchema {
  let schema: AnswerSchema | undefined
  return () => {
    schema ??= z.toJSONSchema(route.output, {
      target: 'draft-7',
      io: 'output',
      unrepresentable: 'any',
      override: nullable,
    })
    return schema
  }
}

/** The serializer tries the members of `anyOf` one by one; `nullable` it handles directly. */
function nullable({ jsonSchema }: { jsonSchema: AnswerSchema }): void {
  const [kind, none, more] = (jsonSchema.anyOf ?? []) as AnswerSchema[]
  if (!kind || none?.type !== 'null' || more) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, kind, { nullable: true })
}

/** Sends the answer with only the fields that `output` names. */
export function send(
  reply: FastifyReply,
  status: number,
  output: unknown,
  schema: AnswerSchema,
): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((answer: Record<string, unknown>) => reply.serializeInput(answer, schema))
    .send(output)
}

/** Sends a file to be saved, with the content type that the contract names. */
export function sendFile(
  reply: FastifyReply,
  type: NonNullable<Route['file']>,
  { name, body }: AnsweredFile,
): FastifyReply {
  return reply
    .code(200)
    .type(type === 'text/csv' ? 'text/csv; charset=utf-8' : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(body)
}
