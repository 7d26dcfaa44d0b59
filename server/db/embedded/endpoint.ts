import { createServer } from 'node:net'
import type { Endpoint } from './settings.ts'

/** Longer paths than about 107 bytes are no address of a Unix socket on any system. */
const longestSocketPath = 100

/**
 * Where PostgreSQL shall listen: on a Unix socket in its folder, or, where that path is too long for one,
 * on a port of 127.0.0.1 that is free now.
 */
export async function freeEndpoint(folder: string): Promise<Endpoint> {
  const port = 5432
  const path = `${folder}/.s.PGSQL.${port}`
  if (process.platform !== 'win32' && Buffer.byteLength(path) < longestSocketPath)
    return { socketFolder: folder, port }
  return { socketFolder: null, port: await freePort() }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
