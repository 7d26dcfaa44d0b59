import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../contract/errors.ts'
import { PAGES } from '../../contract/pages.ts'
import type { Context } from '../context.ts'
import { pagePolicy } from './security-headers.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
const patterns = PAGES.map((page) => new RegExp(`^${page.replace(/:[a-zA-Z]+/g, '[^/]+')}/?$`))

/** Serves the built client: hashed assets for ever, every page the same document with a nonce of its own. */
export async function mountPages(
  app: FastifyInstance,
  context: Context,
  clientDir: string | null,
): Promise<void> {
  const template = clientDir
    ? await readFile(join(clientDir, 'index.html'), 'utf8')
    : '<!doctype html><title>Fanfare</title>'
  if (clientDir) {
    await app.register(fastifyStatic, {
      root: clientDir,
      index: false,
      wildcard: false,
      globIgnore: ['**/index.html'],
      preCompressed: true,
      setHeaders: (reply, path) => {
        const cache = path.includes('/assets/')
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600'
        reply.header('cache-control', cache)
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(api|files|assets|sandbox|socket\.io)(\/|$)/.test(pathname)
    if (!isPage) return reply.code(404).send({ error: errors.not_found[1], code: 'not_found' })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .code(patterns.some((pattern) => pattern.test(pathname)) ? 200 : 404)
      .headers({ 'content-security-policy': pagePolicy(context, nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(template.replaceAll(NONCE_PLACEHOLDER, nonce))
  })
}
