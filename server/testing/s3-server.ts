import { mkdir } from 'node:fs/promises'
import S3rver from 's3rver'

/** A third party's S3 server on a port of its own, with one empty bucket that is kept in this folder. */
export async function startS3Server(directory: string) {
  await mkdir(directory, { recursive: true })
  const bucket = 'fanfare-test'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const requests: string[] = []
  server.httpServer.on('request', ({ method, url }) => requests.push(`${method} ${url}`))
  return {
    account: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
    },
    /** What it was asked, as `METHOD path`. */
    requests,
    /** From now on it takes calls and answers none; what comes back makes it answer again. */
    fallSilent() {
      const answering = server.httpServer.listeners('request') as (() => void)[]
      server.httpServer.removeAllListeners('request')
      return () => {
        for (const listener of answering) server.httpServer.on('request', listener)
      }
    },
    async close() {
      const closed = server.close()
      server.httpServer.closeAllConnections()
      await closed
    },
  }
}
