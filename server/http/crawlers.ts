import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

/** Pages worth finding, besides the creators' own. */
const PAGES = ['/', '/discover', '/affiliates', '/how-to-use']
const CLOSED = ['/api/', '/dashboard', '/sandbox/', '/files/', '/resetconfirmed/', '/emailconfirmation']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const WITH_HEAD = { exposeHeadRoute: true }

/** The sitemap's creators, page by page; `app.ts` passes it in. */
export type Sitemap = {
  /** Each page's first creator id. */
  pages(): Promise<string[]>
  /** The usernames of the page that starts with this creator. */
  creators(firstId: string): Promise<string[]>
}

/** `robots.txt`, and the sitemap of all public creators as an index of pages (sitemaps.org). */
export function mountCrawlers(app: FastifyInstance, context: Context, sitemap: Sitemap): void {
  const { publicUrl } = context
  const robots = [
    'User-agent: *',
    ...CLOSED.map((path) => `Disallow: ${path}`),
    // Used by link previews.
    'Allow: /files/preview/',
    'Allow: /files/profile/',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')

  app.get('/robots.txt', WITH_HEAD, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots),
  )

  app.get('/sitemap.xml', WITH_HEAD, async (_request, reply) => {
    const pages = await sitemap.pages()
    const locations = ['/sitemap/pages.xml', ...pages.map((firstId) => `/sitemap/${firstId}.xml`)]
    return sendXml(
      reply,
      'sitemapindex',
      locations.map((path) => `<sitemap><loc>${publicUrl}${path}</loc></sitemap>`),
    )
  })

  app.get<{ Params: { page: string } }>('/sitemap/:page', WITH_HEAD, async (request, reply) => {
    const page = request.params.page.replace(/\.xml$/, '')
    if (page !== 'pages' && !UUID.test(page)) throw new AppError('not_found')
    const paths =
      page === 'pages'
        ? PAGES
        : (await sitemap.creators(page)).map((username) => `/users/${encodeURIComponent(username)}`)
    return sendXml(
      reply,
      'urlset',
      paths.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`),
    )
  })
}

function sendXml(reply: FastifyReply, root: string, entries: string[]): FastifyReply {
  // Whoever hides is in no copy of it.
  return reply
    .header('cache-control', 'no-cache')
    .type('application/xml; charset=utf-8')
    .send(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`,
    )
}
