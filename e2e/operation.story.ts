import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken, gatewayCaptures, planFault } from '../server/testing/gateway.ts'
import { type FanfareProcess, failToStart, startProcess } from './fanfare.ts'
import { apiOf, joins, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'

/** The sentence of the one line in which it says why it ended, which must be JSON. */
function reasonIn(stderr: string): string {
  const [line = '', ...more] = stderr.trim().split('\n')
  expect(more).toEqual([])
  const { level, msg } = JSON.parse(line) as { level: number; msg: string }
  expect(level).toBe(FATAL)
  return msg
}

/** The level of pino's lines after which a program ends. */
const FATAL = 60

describe('a start that cannot succeed says in one sentence what to do', () => {
  const tells = async (environment: Record<string, string>, what: RegExp) => {
    const { code, stdout, stderr } = await failToStart(environment)
    const said = stdout
      .split('\n')
      .filter((line) => line !== '' && !line.includes('"msg":"Starting Fanfare"'))
    expect(said).toEqual([])
    const reason = reasonIn(stderr)
    expect(reason).toMatch(what)
    expect(reason).toMatch(/[.]$/)
    expect(code).toBe(1)
  }

  test('a taken port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    await tells({ PORT: port }, new RegExp(`Port ${port} is taken by another program: stop it, or set PORT`))
    server.close()
  })

  test('a data folder that cannot be made', async () => {
    const file = import.meta.filename
    await tells(
      { DATA_DIR: join(file, 'data') },
      /^The data folder .* can't be written .*choose another folder with DATA_DIR/,
    )
  })

  test('a sandbox that others could reach', () =>
    tells({ HOST: '0.0.0.0' }, /^HOST=0\.0\.0\.0 lets others reach the sandbox .*set SANDBOX_TOKEN/))

  test('a real service beside a sandbox that nobody named', () =>
    tells(
      { SMTP_URL: 'smtp://127.0.0.1:1' },
      /^SMTP_URL is set, but payments and age would still be a sandbox/,
    ))

  test('a wrong setting', () => tells({ PORT: 'abc' }, /^The setting PORT is wrong/))

  test('a database that is not there', () =>
    tells(
      {
        DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
        SECRET_KEY: 'a secret for stories, long enough to be one',
      },
      /^The database can't be reached .*check DATABASE_URL/,
    ))
})

describe('what was stored is there again', () => {
  let fanfare: FanfareProcess
  let shop: Shop
  let fan: Person

  beforeAll(async () => {
    fanfare = await startProcess()
    shop = await openShop(fanfare.origin)
    fan = await joins(fanfare.origin, 'fan')
    await buys(shop.single)
  })

  afterAll(() => fanfare?.dispose())

  const as = (person: Person) => apiOf(fanfare.origin, person)

  async function buys(mediaId: string): Promise<string> {
    const token = await cardToken({ sandboxOrigin: fanfare.origin })
    const { status } = await as(fan).call(
      routes.purchase,
      { body: { kind: 'single', itemId: mediaId, ...token } },
      { idempotencyKey: crypto.randomUUID() },
    )
    return status
  }

  async function isAllThere(): Promise<void> {
    const { subscriptions } = await as(fan).call(routes.subscriptions, { query: { userId: shop.creator.id } })
    expect(subscriptions.map(({ title }) => title)).toEqual(['Members club'])
    const api = as(fan)
    const media = await api.call(routes.media, { params: { mediaId: shop.single } })
    expect(media.locked).toBe(false)
    const bytes = await api.fetch(media.url ?? '')
    expect(bytes.status).toBe(200)
    expect((await bytes.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    const { items } = await as(shop.creator).call(routes.transactions, { query: {} })
    const own = items.filter(({ buyerId }) => buyerId._id === fan.id)
    expect(own.map(({ title, amount }) => [title, amount])).toEqual([['Morning light', '$4.50']])
    expect(await gatewayCaptures({ sandboxOrigin: fanfare.origin })).toHaveLength(items.length)
  }

  test('it says in lines of JSON alone that it is ready', () => {
    const lines = fanfare.greeting.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).msg)).toContain(`Fanfare is ready at ${fanfare.origin}`)
  })

  test('after a graceful stop', async () => {
    expect(await fanfare.end('SIGINT')).toBe(0)
    await fanfare.restart()
    await isAllThere()
  })

  test('after the server was killed', async () => {
    await fanfare.end('SIGKILL')
    await fanfare.restart()
    await isAllThere()
  })

  test('after PostgreSQL was killed, which ends the server too', async () => {
    const [file = ''] = globSync(join(fanfare.dataDir, 'postgres', '**', 'postmaster.pid'))
    const [pid] = (await readFile(file, 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    expect(await fanfare.ended()).toBe(1)
    await fanfare.restart()
    await isAllThere()
  })

  test('a second start on the same folder says so, and harms nothing', async () => {
    const { code, stderr } = await failToStart({ DATA_DIR: fanfare.dataDir })
    expect(code).toBe(1)
    expect(reasonIn(stderr)).toMatch(/^Another process is already running on the data folder .*$/)
    await isAllThere()
  })

  test('an upload that a stop interrupts is prepared after the next start', async () => {
    const api = as(shop.creator)
    const files = await Promise.all([picture(11, 900, 1200), picture(12, 900, 1200)])
    const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
      body: { fileNames: files.map(({ name }) => name) },
    })
    const [arrived, halfSent] = signedUrls.map((url) => new URL(url, fanfare.origin))
    const [first, second] = files.map(({ buffer }) => buffer)
    if (!arrived || !halfSent || !first || !second) throw new Error('two uploads were asked for')
    await put(arrived, first)
    await api.call(routes.makePublic, { body: { destFileNames: destFileNames.slice(0, 1) } })
    const sending = request(halfSent, { method: 'PUT', headers: { 'content-length': second.length } })
    sending.on('error', () => {})
    sending.write(second.subarray(0, second.length / 2))
    await once(sending, 'socket')
    const stopped = fanfare.end()
    await waitUntil(() => refusesConnections(fanfare.origin))
    sending.destroy()
    expect(await stopped).toBe(0)

    await fanfare.restart()
    await put(halfSent, second)
    await api.call(routes.makePublic, { body: { destFileNames } })
    await waitUntil(async () => {
      const { items } = await api.call(routes.uploads, { query: { uploadIds: destFileNames } })
      return items.length === 2 && items.every(({ status }) => status === 'ready')
    })
  })

  test('a purchase that a stop interrupts is finished first', async () => {
    const buyer = await joins(fanfare.origin, 'fan')
    const sandbox = { sandboxOrigin: fanfare.origin }
    const before = (await gatewayCaptures(sandbox)).length
    const token = await cardToken(sandbox)
    await planFault(sandbox, { call: 'createTransactionRequest', effect: 'slow' })
    let isOver = false
    const paying = as(buyer)
      .call(
        routes.purchase,
        { body: { kind: 'single', itemId: shop.single, ...token } },
        { idempotencyKey: crypto.randomUUID() },
      )
      .finally(() => {
        isOver = true
      })
    const open = { query: { kind: 'single' as const, itemId: shop.single } }
    // The gateway's slowness may end before this looks.
    await waitUntil(
      async () =>
        isOver || (await as(buyer).call(routes.openPurchase, open)).purchase?.status === 'submitting',
    )
    const [{ status }, code] = await Promise.all([paying, fanfare.end()])
    expect({ status, code }).toEqual({ status: 'captured', code: 0 })

    await fanfare.restart()
    const { locked } = await as(buyer).call(routes.media, { params: { mediaId: shop.single } })
    expect(locked).toBe(false)
    expect(await gatewayCaptures(sandbox)).toHaveLength(before + 1)
  })
})

async function refusesConnections(origin: string): Promise<boolean> {
  const { port } = new URL(origin)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

async function put(url: URL, bytes: Buffer): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
  expect(response.status, await response.text()).toBe(200)
}
