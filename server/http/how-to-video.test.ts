import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { HOW_TO_VIDEO_KEY } from '../context.ts'
import { startHarness } from '../testing/harness.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-how-to-'))
  await writeFile(join(folder, 'video.mp4'), 'bytes of a video')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each<[what: string, setting: () => string, address: string | null, status: number, piece: string]>([
  ['a file', () => join(folder, 'video.mp4'), '/how-to-video.mp4', 206, 'of a'],
  ['an address', () => 'https://videos.example/how-to.mp4', 'https://videos.example/how-to.mp4', 404, ''],
  ['nothing', () => '', null, 404, ''],
])('set to %s', async (_, setting, address, status, piece) => {
  const harness = await startHarness({ environment: { HOW_TO_VIDEO: setting() } })
  try {
    const api = harness.api.visitor()
    expect((await api.call(routes.config, {})).brand.howToVideo).toBe(address)
    const part = await api.fetch('/how-to-video.mp4', { headers: { range: 'bytes=6-9' } })
    expect(part.status).toBe(status)
    expect(await part.text()).toContain(piece)
  } finally {
    await harness.stop()
  }
})

test('the store is asked for the sample’s video once, and while it has none once a minute', async () => {
  const harness = await startHarness()
  try {
    const { context, clock } = harness
    const { storage } = context
    let asked = 0
    context.storage = {
      ...storage,
      size: (key) => {
        asked += 1
        return storage.size(key)
      },
    }
    const address = async () => (await harness.api.visitor().call(routes.config, {})).brand.howToVideo
    expect([await address(), await address(), asked]).toEqual([null, null, 1])
    await storage.put(HOW_TO_VIDEO_KEY, Readable.from([Buffer.from('video')]), { maxBytes: 10 })
    clock.advance(60_000)
    for (let call = 0; call < 3; call++) expect(await address()).toBe('/how-to-video.mp4')
    clock.advance(3_600_000)
    expect([await address(), asked]).toEqual(['/how-to-video.mp4', 2])
    const part = await harness.api.visitor().fetch('/how-to-video.mp4', { headers: { range: 'bytes=1-2' } })
    expect([part.status, await part.text(), asked]).toEqual([206, 'id', 2])
  } finally {
    await harness.stop()
  }
})
