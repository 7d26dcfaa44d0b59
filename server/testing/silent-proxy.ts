import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

/**
 * Passes bytes on to the database until it is told to drop what open connections send, or on one connection to
 * answer nothing from a statement with these words on. `breakOff` ends all connections, `breakSilenced` those alone.
 */
export async function startSilentProxy(
  databaseUrl: string = inject('databaseUrl'),
  { silentFrom }: { silentFrom?: string } = {},
) {
  const { host, port, user = '', password = '', database = '' } = new pg.Client(databaseUrl)
  const open = new Set<Socket>()
  const silenced: Socket[] = []
  const server = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
    client.on('data', (bytes) => {
      if (silentFrom === undefined || !bytes.includes(silentFrom)) return
      upstream.unpipe().pause()
      silenced.push(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakOff = () => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(() => {
    breakOff()
    server.close()
  })
  const account = [user, password ?? ''].map(encodeURIComponent).join(':')
  const proxied = (server.address() as AddressInfo).port
  return {
    connectionString: `postgresql://${account}@127.0.0.1:${proxied}/${database}`,
    silence() {
      for (const socket of open) socket.unpipe().pause()
    },
    breakOff,
    /** How many connections get no answers since `silentFrom`. */
    get silenced() {
      return silenced.length
    },
    breakSilenced() {
      for (const socket of silenced) socket.destroy()
    },
  }
}
