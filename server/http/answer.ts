import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import type { AnsweredFile } from '../handler.ts'

type AnswerSchema = Record<string, unknown>
type Serialize = ReturnType<FastifyReply['compileSerializationSchema']>

/** Of every route that has answered, for all servers of the process: compiling one takes several milliseconds. */
const serializers = new WeakMap<Route, Serialize>()

/** Compiled on first use: building the schemas of all would take a third of the server start. */
function serializerOf(route: Route, reply: FastifyReply): Serialize {
  const known = serializers.get(route)
  if (known) return known
  const schema = z.toJSONSchema(route.output, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: nullable,
  })
  const serialize = reply.compileSerializationSchema(schema)
  serializers.set(route, serialize)
  return serialize
}

/** The serializer tries the members of `anyOf` one by one; `nullable` it handles directly. */
function nullable({ jsonSchema }: { jsonSchema: AnswerSchema }): void {
  const [kind, none, more] = (jsonSchema.anyOf ?? []) as AnswerSchema[]
  if (!kind || none?.type !== 'null' || more) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, kind, { nullable: true })
}

/** Sends the answer with only the fields that `output` names. */
export function send(reply: FastifyReply, status: number, output: unknown, route: Route): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(serializerOf(route, reply))
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
