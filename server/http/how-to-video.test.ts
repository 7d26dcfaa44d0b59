import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { startHarness } from '../testing/harness.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-how-to-'))
  await writeFile(join(folder, 'film.mp4'), 'bytes of a film')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each<[what: string, setting: () => string, address: string | null, status: number, piece: string]>([
  ['a file', () => join(folder, 'film.mp4'), '/how-to-video.mp4', 206, 'of a'],
  ['a file that is not there', () => join(folder, 'none.mp4'), null, 404, ''],
  ['an address', () => 'https://films.example/how-to.mp4', 'https://films.example/how-to.mp4', 404, ''],
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
