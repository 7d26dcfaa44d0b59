import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type HTTPMethods } from 'fastify'
import { startSandboxes } from '../../sandboxes.ts'
import type { Context } from '../context.ts'
import { mountSandboxClock } from '../http/sandbox-clock.ts'

type Mounted = { method: HTTPMethods; url: string }

/** Every page and call that the sandboxes mount, as they register them. */
export async function sandboxRoutes(context: Context): Promise<Mounted[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-sandboxes-'))
  const sandboxes = await startSandboxes({
    ...{ dataDir, now: () => new Date(), payments: true, mail: true, push: true },
    age: { results: () => '', secret: 'a secret of thirty-two characters' },
    forum: { redirectUri: 'http://fanfare.test/tokenconfirmation' },
  })
  const found: Mounted[] = []
  const app = fastify({ exposeHeadRoutes: false })
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) found.push({ method: each, url })
  })
  await app.register(async (scope) => mountSandboxClock(scope, context, async () => []), {
    prefix: '/sandbox',
  })
  for (const [name, plugin] of Object.entries(sandboxes.plugins))
    await app.register(plugin, { prefix: `/sandbox/${name}` })
  await app.ready()
  await app.close()
  await sandboxes.close()
  await rm(dataDir, { recursive: true })
  return found
}
