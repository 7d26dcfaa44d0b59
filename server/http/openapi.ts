import { z } from 'zod'
import { routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })

function parametersOf(route: Route) {
  const of = (schema: z.ZodObject | undefined, where: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      schema: schemaOf(field as z.ZodType, 'input'),
    }))
  return [...of(route.params, 'path'), ...of(route.query, 'query')]
}

/** The OpenAPI 3.1 document, generated from the contract alone. */
export function openApiDocument(brand: string, publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, definition] of Object.entries(routes)) {
    const route: Route = definition
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = {
      operationId: name,
      summary: route.summary,
      security: route.access === 'public' ? [] : [{ session: [] }],
      parameters: parametersOf(route),
      ...(route.body
        ? {
            requestBody: {
              required: true,
              content: {
                [route.multipart ? 'multipart/form-data' : 'application/json']: {
                  schema: schemaOf(route.body, 'input'),
                },
              },
            },
          }
        : {}),
      ...(route.bytes
        ? { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
        : {}),
      responses: {
        200: {
          description: 'Done.',
          content: route.file
            ? { [route.file]: { schema: { type: 'string', format: 'binary' } } }
            : { 'application/json': { schema: schemaOf(route.output, 'output') } },
        },
        default: {
          description: 'A refusal.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${brand} API`, version: '1' },
    servers: [{ url: `${publicUrl}/api` }],
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code'],
          properties: {
            error: { type: 'string' },
            code: { type: 'string' },
            details: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
    },
    paths,
  }
}
