import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BUILD_HEADER } from '../../contract/constants.ts'
import { errors } from '../../contract/errors.ts'
import { PAGES } from '../../contract/pages.ts'
import { isExemptPath } from '../../contract/regions.ts'
import type { Context } from '../context.ts'
import type { PagePreview } from '../handler.ts'
import { CARD_FRAME_DOCUMENT } from './card-frame.ts'
import { followed, PRELOADS, readClientBuild } from './client-build.ts'
import { readCookie } from './cookies.ts'
import { awaitedScreen, FIRST_LOOK, firstScreen } from './first-look.ts'
import { confirmAge, initialData } from './initial-data.ts'
import { MANIFEST, mountManifest } from './manifest.ts'
import { pageHead } from './page-head.ts'
import { refuseOtherOrigins } from './same-origin.ts'
import { pagePolicy } from './security-headers.ts'
import { isPagePath } from './unreadable.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** Private pages, steps of a flow, and pages with nothing to find. */
const UNLISTED =
  /^\/(dashboard|login|signup|reset|emailconfirmation|tokenconfirmation|agecheck|restricted|unavailable|yourcontent|customs|search|edit|users|media|unsubscribe|go\/)/
const patterns = PAGES.map((page) => new RegExp(`^${page.replace(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')}/?$`))

/** The placeholder until the application runs, if there is nothing better to show. */
const BOOT = /<div class="boot">.*?<\/div>/s
/** Query parameters that filter or search discover: the first pictures are different then (discover/address.ts). */
const NARROWED = /(^|&)(q|tagIds|sort|type)=/
/** Without this, browsers would keep using an old document after a newer build. */
const SERVICE_WORKER = '/service-worker.js'
const FOR_THE_FRAME = /\/assets\/(card-frame-[\w-]+\.(js|css)(\.br|\.gz)?|[\w-]+\.woff2)$/

/** Script attributes of a document with a first screen: fonts and pictures load first. */
const AFTER_THE_FIRST_LOOK = ' fetchpriority="low"'

/** Only preloaded, not applied: the application decides the order of styles. */
function preloadLinks(files: readonly string[], priority: string): string {
  const links = files.map((file) => {
    if (file.endsWith('.woff2'))
      return `rel="preload" as="font" type="font/woff2" crossorigin href="/${file}"`
    if (file.endsWith('.css')) return `rel="preload" as="style"${priority} crossorigin href="/${file}"`
    return `rel="modulepreload"${priority} crossorigin href="/${file}"`
  })
  return links.map((link) => `  <link ${link} />\n  `).join('')
}

/** Before the scripts, because a browser opens few connections at once. */
const picturePreload = (address: string) =>
  `\n    <link rel="preload" as="image" fetchpriority="high" href="${escapeHtml(address)}" />`

/** Not a data script: documents hold no inline script of any kind. */
const initialDataTemplate = (json: string) => `<template id="initial-data">${escapeHtml(json)}</template>`

type Page = { pattern: string; params: Record<string, string> }

/** The page at this path with its parameters; null if there is none. */
function pageAt(pathname: string): Page | null {
  for (const [at, pattern] of PAGES.entries()) {
    const found = patterns[at]?.exec(pathname)
    if (!found) continue
    // The router has already refused malformed escapes.
    const named = Object.entries(found.groups ?? {})
    return {
      pattern,
      params: Object.fromEntries(named.map(([name, text]) => [name, decodeURIComponent(text)])),
    }
  }
  return null
}

/** The terms have two addresses; the longer one is canonical. */
function canonicalOf(pathname: string): string {
  const path = pathname.replace(/(.)\/$/, '$1')
  return path === '/terms' ? '/terms-and-conditions' : path
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: errors.not_found.text, code: 'not_found' })
}

/** This browser's chosen color scheme; without a choice, the styles follow the system. */
function schemeOf(request: FastifyRequest): string {
  const chosen = request.cookies['color-scheme']
  return chosen === 'dark' || chosen === 'light' ? ` data-mantine-color-scheme="${chosen}"` : ''
}

/** A page is served without a part that couldn't be made rather than not at all. */
function leftOut(request: FastifyRequest): (error: unknown) => null {
  return (error) => {
    request.log.error({ err: error }, 'a page goes without its preview or initial data')
    return null
  }
}

/**
 * Serves the built client: hashed assets forever, every page the same document with its own nonce and head. `preview`
 * returns a page's public content, null if there is none or it is withheld.
 */
export async function mountPages(
  app: FastifyInstance,
  context: Context,
  clientDir: string | null,
  preview: (path: string, request: FastifyRequest) => Promise<PagePreview | null>,
): Promise<void> {
  const { publicUrl, config } = context
  const currentBuild = await followed(clientDir && join(clientDir, 'index.html'), () =>
    readClientBuild(clientDir, config.BRAND_NAME),
  )
  // As of the latest document: a disk read at every call would cost more than many calls do.
  let { entry } = await currentBuild()
  app.addHook('onRequest', async (request, reply) => {
    if (entry && request.url.startsWith('/api/')) reply.header(BUILD_HEADER, entry)
  })
  if (clientDir) {
    await app.register(fastifyStatic, {
      root: clientDir,
      index: false,
      wildcard: false,
      // Each file here becomes a route, which for thousands of assets takes a third of the start.
      globIgnore: ['**/index.html', 'assets/**', CARD_FRAME_DOCUMENT, PRELOADS, FIRST_LOOK, MANIFEST],
      preCompressed: true,
      setHeaders: (reply, path) => {
        const cache = path.includes('/assets/')
          ? 'public, max-age=31536000, immutable'
          : path.includes(SERVICE_WORKER)
            ? 'no-cache'
            : 'public, max-age=3600'
        reply.header('cache-control', cache)
        // The worker's own policy: it loads only the icon of its notifications, and calls the server.
        if (path.includes(SERVICE_WORKER))
          reply.header('content-security-policy', "default-src 'none'; img-src 'self'; connect-src 'self'")
        // The card frame has an opaque origin, so all our assets are cross-origin to it.
        if (FOR_THE_FRAME.test(path)) {
          reply.header('cross-origin-resource-policy', 'cross-origin')
          reply.header('access-control-allow-origin', '*')
        }
      },
    })
  }
  if (clientDir) mountManifest(app, context, clientDir)
  app.setNotFoundHandler(notFound)
  await app.register(compress, { global: false })
  app.get('/*', { compress: {}, exposeHeadRoute: true }, async (request, reply) => {
    const [pathname = '/', search = ''] = request.url.split('?')
    // Read from disk each time: another build may replace the one that this server started with.
    if (clientDir && pathname.startsWith('/assets/')) return reply.sendFile(pathname)
    if (!isPagePath(pathname)) return notFound(request, reply)
    const build = await currentBuild()
    const { document: parts, preloads, fonts, look } = build
    entry = build.entry
    const page = pageAt(pathname)
    const shown = page ? await preview(pathname, request).catch(leftOut(request)) : null
    const listed = page !== null && !UNLISTED.test(pathname)
    const head = pageHead({
      brand: config.BRAND_NAME,
      publicUrl,
      preview: shown,
      canonicalPath: listed ? canonicalOf(pathname) : null,
      index: shown?.index ?? listed,
    })
    // Logged-in people are identified by their token, which a document's request doesn't carry.
    const isVisitor = !readCookie(context, request, 'media_viewer')?.startsWith('s.')
    const answers =
      page && isVisitor ? await initialData(app, request, reply, page).catch(leftOut(request)) : null
    const first = answers && answers.seen !== 'page' ? null : (shown?.first ?? null)
    const screen =
      page && answers
        ? firstScreen(look, {
            pattern: page.pattern,
            seen: answers.seen === 'withheld' && isExemptPath(pathname) ? 'page' : answers.seen,
            content: NARROWED.test(search) ? null : answers.content,
            banner: context.payments.sandbox,
          })
        : { html: '', css: '' }
    const awaited = isVisitor ? '' : awaitedScreen(look, { banner: context.payments.sandbox })
    const nonce = randomBytes(16).toString('base64')
    const priority = screen.html ? AFTER_THE_FIRST_LOOK : ''
    // A first screen brings its fonts by itself. Elsewhere they would come after the script, and move what is drawn by then.
    // Behind the age gate there is time: the application loads the page's code while the question is read.
    const files = answers?.seen === 'gate' ? [] : (preloads[page?.pattern ?? ''] ?? [])
    const document = [
      parts.beforeHead.replaceAll(NONCE_PLACEHOLDER, nonce).replace('<html', `<html${schemeOf(request)}`),
      head,
      first ? picturePreload(first) : '',
      parts.beforeHeadEnd
        .replaceAll(NONCE_PLACEHOLDER, nonce)
        .replace('<script type="module"', `<script type="module"${priority}`),
      screen.css && `<style nonce="${nonce}">${screen.css}</style>`,
      // After what the first paint needs: a browser opens few connections at once.
      preloadLinks(screen.html ? files : [...fonts, ...files], priority),
      parts.afterHeadEnd
        .replace(BOOT, (boot) => screen.html || awaited + boot)
        .replace('</body>', (end) => initialDataTemplate(answers?.json ?? '{}') + end),
    ]
    return reply
      .code(page ? 200 : 404)
      .headers({ 'content-security-policy': pagePolicy(context, nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(document.join(''))
  })
  await app.register(async (forms) => {
    // A form without fields: its address says everything.
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { bodyLimit: 1024 },
      (_request, _body, done) => done(null),
    )
    forms.post('/*', async (request, reply) => {
      const [pathname = '/'] = request.url.split('?')
      if (pageAt(pathname) === null) return notFound(request, reply)
      refuseOtherOrigins(request)
      await confirmAge(app, request, reply)
      return reply.redirect(request.url, 303)
    })
  })
}
