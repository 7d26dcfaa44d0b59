import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../contract/errors.ts'
import { PAGES } from '../../contract/pages.ts'
import type { Context } from '../context.ts'
import type { PagePreview } from '../handler.ts'
import { escapeHtml, pageHead } from './page-head.ts'
import { pagePolicy } from './security-headers.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** Pages that are the visitor's own, a step on a way, or nothing to find. */
const UNLISTED =
  /^\/(dashboard|login|signup|reset|emailconfirmation|tokenconfirmation|agecheck|restricted|unavailable|yourcontent|customs|search|edit|users|media)/
const patterns = PAGES.map((page) => new RegExp(`^${page.replace(/:[a-zA-Z]+/g, '[^/]+')}/?$`))

const PRELOADS = 'preloads.json'

/** What the build says that each page needs beside the entry (client/vite.config.ts); nothing for an older build. */
async function readPreloads(clientDir: string): Promise<Record<string, string[]>> {
  const text = await readFile(join(clientDir, PRELOADS), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, string[]>
}

/** Only fetched, not applied: the order of the styles is the application's. */
function preloadLinks(files: readonly string[], picture: string | null = null): string {
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `rel="preload" as="style" crossorigin href="/${file}"`
      : `rel="modulepreload" crossorigin href="/${file}"`,
  )
  if (picture) links.push(`rel="preload" as="image" fetchpriority="high" href="${escapeHtml(picture)}"`)
  return links.map((link) => `  <link ${link} />\n  `).join('')
}

/** A page is served without its preview rather than not at all. */
function unshown(request: FastifyRequest): (error: unknown) => null {
  return (error) => {
    request.log.error({ err: error }, 'no preview could be made')
    return null
  }
}

/**
 * Serves the built client: hashed assets for ever, every page the same document with a nonce and a head of its own.
 * `preview` answers what a page shows to everybody, null where there is nothing or content is withheld.
 */
export async function mountPages(
  app: FastifyInstance,
  context: Context,
  clientDir: string | null,
  preview: (path: string, request: FastifyRequest) => Promise<PagePreview | null>,
): Promise<void> {
  const template = clientDir
    ? await readFile(join(clientDir, 'index.html'), 'utf8')
    : '<!doctype html><head><title>Fanfare</title></head>'
  // The head is the server's: what the document brings along would stand beside it.
  const [beforeHead = '', afterHead = ''] = template
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .split(/<title>[^<]*<\/title>/)
  const { publicUrl, config } = context
  const preloads = clientDir ? await readPreloads(clientDir) : {}
  if (clientDir) {
    await app.register(fastifyStatic, {
      root: clientDir,
      index: false,
      wildcard: false,
      globIgnore: ['**/index.html', PRELOADS],
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
    const [pathname = '/'] = request.url.split('?')
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(api|files|assets|sandbox|socket\.io)(\/|$)/.test(pathname)
    if (!isPage) return reply.code(404).send({ error: errors.not_found[1], code: 'not_found' })
    const page = PAGES.find((_, at) => patterns[at]?.test(pathname))
    const known = page !== undefined
    const shown = known ? await preview(pathname, request).catch(unshown(request)) : null
    const listed = known && !UNLISTED.test(pathname)
    const head = pageHead({
      brand: config.BRAND_NAME,
      publicUrl,
      preview: shown,
      canonicalPath: listed ? pathname.replace(/(.)\/$/, '$1') : null,
      index: shown?.index ?? listed,
    })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .code(known ? 200 : 404)
      .headers({ 'content-security-policy': pagePolicy(context, nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(
        beforeHead.replaceAll(NONCE_PLACEHOLDER, nonce) +
          head +
          afterHead
            .replaceAll(NONCE_PLACEHOLDER, nonce)
            // Behind what the first paint waits for: a browser opens few connections at once.
            .replace('</head>', `${preloadLinks(preloads[page ?? ''] ?? [], shown?.first)}  </head>`),
      )
  })
}
