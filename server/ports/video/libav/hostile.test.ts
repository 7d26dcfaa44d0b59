import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Variant } from '../port.ts'
import { mediaProcessor } from './adapter.ts'
import { inspect } from './inspect.ts'
import { maxCopies } from './limits.ts'
import { pictureOf } from './picture.ts'
import { openSource } from './source.ts'
import { parse } from './testing/hostile/boxes.ts'
import { foreignRows } from './testing/hostile/foreign.ts'
import { jpegRows } from './testing/hostile/jpeg.ts'
import { otherPictureRows } from './testing/hostile/other-pictures.ts'
import { pngRows } from './testing/hostile/png.ts'
import type { Canary, Row } from './testing/hostile/row.ts'
import { PAUSE_SECONDS, pauseOfHours, videoRows } from './testing/hostile/videos.ts'
import { webpRows } from './testing/hostile/webp.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
/** Less than half a gigabyte and two minutes are enough to inspect any of them on a busy machine. */
const processor = mediaProcessor({ memoryMb: 512, timeoutMs: 120_000, concurrency: 2 })
const folder = mkdtempSync(join(tmpdir(), 'fanfare-hostile-'))
let connections = 0
const listener = createServer((socket) => {
  connections += 1
  socket.destroy()
})
const canary: Canary = { url: '', file: join(folder, 'secret.txt') }

beforeAll(async () => {
  writeFileSync(canary.file, 'CANARY of another file')
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  canary.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/CANARY`
})
afterAll(async () => {
  await processor.close()
  listener.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Parts of our variants besides the picture: metadata of pictures, unknown boxes of videos. */
async function foreignParts({ path, mime }: Variant): Promise<string[]> {
  const bytes = await readFile(path)
  const canaries = ['CANARY', '<script', '%PDF', 'PK\x05\x06'].filter((text) =>
    bytes.includes(text, 0, 'latin1'),
  )
  if (mime === 'video/mp4') {
    const known = ['ftyp', 'moov', 'free', 'mdat']
    const boxes = parse(bytes).map(({ type }) => type)
    return [...canaries, ...boxes.filter((type) => !known.includes(type))]
  }
  const { exif, xmp, icc, iptc, comments, orientation, pages } = await sharp(bytes).metadata()
  const kept = Object.entries({
    exif,
    xmp,
    icc,
    iptc,
    comments,
    orientation,
    pages: pages === 1 ? undefined : pages,
  })
  return [...canaries, ...kept.filter(([, value]) => value !== undefined).map(([name]) => name)]
}

describe('a file of another kind is refused by its first bytes, before anything opens it', () => {
  test.each(foreignRows.map((row): [string, Row] => [row.what, row]))(
    '%s',
    async (what, { outcome, make }) => {
      const path = await bench.upload(`${what.replaceAll(/\W/g, '-')}.jpg`, await make(canary))
      await expect(inspect(path, 50_000_000)).rejects.toMatchObject({ refusal: outcome })
      expect(connections).toBe(0)
    },
  )
})

test('a pause of hours in a small file is filled with few copies, and holds its place no longer than other small files', async () => {
  const path = await pauseOfHours(folder)
  const { demuxer, video } = await openSource(path, 'mov')
  const { num, den } = pictureOf(video, 50_000_000).frameRate
  await demuxer.close()
  expect((PAUSE_SECONDS * num) / den).toBeLessThan(2 * maxCopies)
  // Its copies are far more than can be made within these few seconds.
  const hurried = mediaProcessor({ timeoutMs: 5_000, timeoutMsPerSecond: 100 })
  const { outcome } = await bench.process(path, hurried)
  await hurried.close()
  expect(outcome).toEqual({ ok: false, refusal: 'media_too_long_to_process' })
})

describe.concurrent.each([
  ['of another kind', foreignRows.slice(0, 3)],
  ['that is a picture', [...jpegRows, ...pngRows, ...webpRows, ...otherPictureRows(folder)]],
  ['that is a video', videoRows(folder)],
] as const)('a hostile file %s', (_, rows) => {
  test.each(rows.map((row): [string, string, Row] => [row.what, row.outcome, row]))(
    '%s: %s',
    async (what, expected, { make }) => {
      const path = await bench.upload(`${what.replaceAll(/\W/g, '-')}.jpg`, await make(canary))
      const { outcome, outDir, files } = await bench.process(path, processor)
      if (outcome.ok) {
        for (const variant of outcome.media.variants) expect(await foreignParts(variant)).toEqual([])
        expect(files).toEqual(outcome.media.variants.map(({ name }) => name).sort())
      } else expect(await readdir(outDir)).toEqual([])
      expect(outcome.ok ? 'clean' : outcome.refusal).toBe(expected)
      expect(connections).toBe(0)
    },
  )
})
