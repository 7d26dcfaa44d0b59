import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/** The build's web app manifest. */
export const MANIFEST = 'manifest.webmanifest'

/** Serves the manifest with the brand’s own name (W3C Web Application Manifest). */
export function mountManifest(app: FastifyInstance, { config }: Context, clientDir: string): void {
  app.get(`/${MANIFEST}`, async (_request, reply) => {
    const built = JSON.parse(await readFile(join(clientDir, MANIFEST), 'utf8')) as object
    const name = config.BRAND_NAME
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify({ ...built, name, short_name: name }))
  })
}
