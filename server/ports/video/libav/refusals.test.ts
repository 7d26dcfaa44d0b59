import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProcessingStopped, StorageFailed, TooManyWaiting } from '../port.ts'
import { mediaProcessor } from './adapter.ts'
import { markedPicture, pngHeader, withJpegSize } from './testing/pictures.ts'
import { everyFrame, recordSound, recordVideo } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const hits: string[] = []
const canary = createServer((request, response) => {
  hits.push(request.url ?? '')
  response.end()
})

beforeAll(async () => {
  canary.listen(0, '127.0.0.1')
  await once(canary, 'listening')
})
afterAll(() => canary.close())

const address = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}/canary`
const jpeg = () => markedPicture(640, 480).jpeg({ quality: 95 }).toBuffer()
const png = () => markedPicture(640, 480).png({ compressionLevel: 0 }).toBuffer()
const video = async () =>
  readFile(
    await recordVideo(bench.folder(), 'source.mp4', {
      format: 'mp4',
      width: 320,
      height: 240,
      times: everyFrame(20, 10),
    }),
  )

/** The end-of-archive record by which a ZIP reader finds an archive behind anything. */
const emptyArchive = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

function withComment(picture: Buffer, comment: string): Buffer {
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xfffe, 0)
  segment.writeUInt16BE(comment.length + 2, 2)
  return Buffer.concat([picture.subarray(0, 2), segment, Buffer.from(comment), picture.subarray(2)])
}

function spoilMiddle(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy.fill(0x37, Math.floor(copy.length * 0.4), Math.floor(copy.length * 0.6))
  return copy
}

const firstPart = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6))

const rows: Array<[string, string, () => Promise<Buffer | string> | Buffer | string]> = [
  ['media_empty', 'an empty file', () => ''],
  ['media_type_unsupported', 'text', () => 'nothing to see'],
  ['media_type_unsupported', 'HTML', () => '<!doctype html><script>alert(1)</script>'],
  [
    'media_type_unsupported',
    'SVG',
    () => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address()}"/></svg>`,
  ],
  [
    'media_type_unsupported',
    'SVG with a declaration',
    () => `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`,
  ],
  [
    'media_type_unsupported',
    'a playlist',
    () => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address()}\n#EXT-X-ENDLIST\n`,
  ],
  ['media_type_unsupported', 'a list of files', () => "ffconcat version 1.0\nfile '/etc/passwd'\n"],
  ['media_no_picture', 'a band of 65,500 by 100', () => markedPicture(65_500, 100).jpeg().toBuffer()],
  ['media_type_unsupported', 'compressed data', () => deflateRawSync('x'.repeat(1000))],
  [
    'media_type_unsupported',
    'a JPEG that is also a ZIP',
    async () => Buffer.concat([await jpeg(), emptyArchive]),
  ],
  [
    'media_type_unsupported',
    'a JPEG that is also HTML',
    async () => withComment(await jpeg(), '<script>alert(1)</script>'),
  ],
  [
    'media_type_unsupported',
    'a PNG that is also HTML',
    async () => Buffer.concat([await png(), Buffer.from('<html ><body>')]),
  ],
  [
    'media_type_unsupported',
    'a JPEG that is also a PDF',
    async () => withComment(await jpeg(), '%PDF-1.7\n'),
  ],
  ['media_unreadable', 'a JPEG without its end', async () => firstPart(await jpeg())],
  ['media_unreadable', 'a JPEG of a header only', async () => (await jpeg()).subarray(0, 300)],
  ['media_unreadable', 'a JPEG with a spoilt middle', async () => spoilMiddle(await jpeg())],
  ['media_unreadable', 'a PNG without its end', async () => firstPart(await png())],
  ['media_unreadable', 'a PNG with a spoilt middle', async () => spoilMiddle(await png())],
  [
    'media_unreadable',
    'a WebP without its end',
    async () => firstPart(await markedPicture(640, 480).webp().toBuffer()),
  ],
  ['media_unreadable', 'a video without its end', async () => firstPart(await video())],
  ['media_unreadable', 'a video with a spoilt middle', async () => spoilMiddle(await video())],
  ['media_unreadable', 'a video without an index', async () => (await video()).subarray(0, 40)],
  ['media_too_many_pixels', 'a PNG of 60,000 by 60,000', () => pngHeader(60_000, 60_000)],
  [
    'media_too_many_pixels',
    'a JPEG of 65,000 by 65,000',
    async () => withJpegSize(await jpeg(), 65_000, 65_000),
  ],
  [
    'media_too_many_pixels',
    'a JPEG of 50,002,944 pixels',
    async () => withJpegSize(await jpeg(), 8184, 6110),
  ],
  ['media_no_picture', 'a strip of 300 by 25', () => markedPicture(300, 25).png().toBuffer()],
  ['media_no_picture', 'a single pixel', () => markedPicture(1, 1).png().toBuffer()],
  [
    'media_no_picture',
    'sound alone',
    async () => readFile(await recordSound(bench.folder(), 'sound-source.mp4')),
  ],
]

describe('is refused and leaves nothing', () => {
  test.each(rows)('%s: %s, whatever its name says', async (refusal, _, make) => {
    const bytes = await make()
    for (const name of ['upload.mp4', 'upload.jpg']) {
      const { outcome, files } = await bench.process(await bench.upload(name, bytes))
      expect(outcome).toEqual({ ok: false, refusal })
      expect(files).toEqual([])
    }
    expect(hits).toEqual([])
  })

  test('what takes longer than allowed', async () => {
    const impatient = mediaProcessor({ timeoutMs: 1 })
    const { outcome, files } = await bench.process(await bench.upload('slow.jpg', await jpeg()), impatient)
    expect(outcome).toEqual({ ok: false, refusal: 'media_too_long_to_process' })
    expect(files).toEqual([])
    await impatient.close()
  })

  test('what takes more memory than allowed', async () => {
    const narrow = mediaProcessor({ memoryMb: 8 })
    const path = await recordVideo(bench.folder(), 'hungry.mp4', {
      format: 'mp4',
      width: 1920,
      height: 1080,
      times: everyFrame(60, 30),
    })
    const { outcome, files } = await bench.process(path, narrow)
    expect(outcome).toEqual({ ok: false, refusal: 'media_too_large' })
    expect(files).toEqual([])
    await narrow.close()
  })
})

describe('what is not the fault of the file', () => {
  test('rejects: the folder cannot be written to', async () => {
    const processor = mediaProcessor({})
    const path = await bench.upload('fine.jpg', await jpeg())
    const outDir = `${bench.folder()}/absent`
    await expect(processor.process({ path, outDir, onProgress: () => {} })).rejects.toThrow('ENOENT')
    await processor.close()
  })

  test('rejects: it said how long it lasts, and who asked for it stopped it', async () => {
    const processor = mediaProcessor({})
    const path = await recordVideo(bench.folder(), 'still.mp4', {
      format: 'mp4',
      width: 64,
      height: 48,
      times: [0, 700],
    })
    const outDir = await bench.emptyFolder()
    const lengths: number[] = []
    const stopping = new AbortController()
    const onLength = (seconds: number) => {
      lengths.push(seconds)
      stopping.abort()
    }
    const stopped = processor.process({
      path,
      outDir,
      onProgress: () => {},
      onLength,
      signal: stopping.signal,
    })
    await expect(stopped).rejects.toThrow(ProcessingStopped)
    expect(lengths).toEqual([expect.closeTo(700, -1)])
    expect(await readdir(outDir)).toEqual([])
    await processor.close()
  })

  test('rejects: twenty crops wait already', async () => {
    const processor = mediaProcessor({})
    const path = await bench.upload('many.jpg', await jpeg())
    const crops = await Promise.all(
      Array.from({ length: 30 }, async () => ({
        path,
        outDir: await bench.emptyFolder(),
        ...{ name: 'crop.webp', width: 40, height: 40 },
      })),
    )
    const all = Promise.allSettled(crops.map((crop) => processor.crop(crop)))
    await processor.close()
    const refused = { status: 'rejected', reason: expect.any(TooManyWaiting) }
    const stopped = { status: 'rejected', reason: expect.any(ProcessingStopped) }
    expect(await all).toEqual([...Array(21).fill(stopped), ...Array(9).fill(refused)])
  })

  test('rejects: the processor was closed, before its turn and in the middle', async () => {
    const processor = mediaProcessor({})
    const path = await bench.upload('closing.jpg', await jpeg())
    const running = bench.process(path, processor)
    const waiting = bench.process(path, processor)
    const idle = Promise.allSettled([running, waiting])
    await processor.close()
    const stopped = { status: 'rejected', reason: expect.any(ProcessingStopped) }
    expect(await idle).toEqual([stopped, stopped])
    await expect(bench.process(path, processor)).rejects.toThrow(ProcessingStopped)
  })

  test.runIf(existsSync('/dev/full'))('a disk without room is no fault of the file', async () => {
    const processor = mediaProcessor({})
    for (const [source, written] of [
      [await bench.upload('room.png', await png()), 'w320.webp'],
      [await bench.upload('room.mp4', await video()), 'video.mp4'],
    ] as const) {
      const outDir = await bench.emptyFolder()
      await symlink('/dev/full', join(outDir, written))
      const made = processor.process({ path: source, outDir, onProgress: () => {} })
      await expect(made).rejects.toThrow(StorageFailed)
      expect(await readdir(outDir)).toEqual([])
    }
    await processor.close()
  })
})
