import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type UnreliableProxy = {
  origin: string
  /** Where connections lead from now on; those that are open stay where they lead. */
  leadTo(origin: string): void
  cuts(): number
  close(): Promise<void>
}

/** Passes bytes on, and cuts connections off at random, the longest-lived after `maxLifeMs`. */
export async function startUnreliableProxy(options: {
  maxLifeMs: number
  random: () => number
}): Promise<UnreliableProxy> {
  let target = new URL('http://127.0.0.1:1')
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const timer = setTimeout(() => {
      cuts++
      client.destroy()
      upstream.destroy()
    }, options.random() * options.maxLifeMs)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        clearTimeout(timer)
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(origin) {
      target = new URL(origin)
    },
    cuts: () => cuts,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
