import { markedPicture } from '../pictures.ts'
import { ascii, exifBlock, upTo, webpCanvas, webpChunk, webpFile, webpFrame } from './chunks.ts'
import type { Row } from './row.ts'

const webp = () => markedPicture(320, 240).webp().toBuffer()

/** WebP files that lie, carry something, or want more work than they are worth. */
export const webpRows: Row[] = [
  {
    what: 'a WebP of 16,383 by 16,383',
    outcome: 'media_unreadable',
    make: async () => webpFile(webpCanvas(0, 16_383, 16_383), (await webp()).subarray(12)),
  },
  {
    what: 'a WebP whose canvas is not its picture',
    outcome: 'media_unreadable',
    make: async () => webpFile(webpCanvas(0, 2000, 2000), (await webp()).subarray(12)),
  },
  ...[0.1, 0.5, 0.9].map(
    (share): Row => ({
      what: `a WebP cut at ${share}`,
      outcome: 'media_unreadable',
      make: async () => upTo(await webp(), share),
    }),
  ),
  {
    what: 'a WebP with EXIF, XMP and a broken profile',
    outcome: 'clean',
    make: async () =>
      webpFile(
        webpCanvas(4 + 8 + 32, 320, 240),
        webpChunk('ICCP', ascii('CANARY')),
        (await webp()).subarray(12),
        webpChunk('EXIF', exifBlock(0x013b, 2, 6, 26)),
        webpChunk('XMP ', ascii('CANARY')),
      ),
  },
  {
    what: 'a WebP of 5,000 frames of a megapixel',
    outcome: 'media_too_large',
    make: async () => {
      const frame = webpFrame(await webp(), { width: 320, height: 240, ms: 10 })
      return webpFile(
        webpCanvas(2, 1280, 960),
        webpChunk('ANIM', Buffer.alloc(6)),
        ...Array.from({ length: 5000 }, () => frame),
      )
    },
  },
  {
    what: 'a WebP that moves once in four hours',
    outcome: 'media_too_long_to_process',
    make: async () => {
      const frame = webpFrame(await webp(), { width: 320, height: 240, ms: 0xffffff })
      return webpFile(webpCanvas(2, 320, 240), webpChunk('ANIM', Buffer.alloc(6)), frame, frame)
    },
  },
  {
    what: 'a WebP with a frame outside of its canvas',
    outcome: 'media_unreadable',
    make: async () => {
      const bytes = await webp()
      const frame = webpFrame(bytes, { x: 300, width: 320, height: 240, ms: 100 })
      return webpFile(webpCanvas(2, 320, 240), webpChunk('ANIM', Buffer.alloc(6)), frame, frame)
    },
  },
  {
    what: 'a WebP that is also a ZIP archive',
    outcome: 'media_type_unsupported',
    make: async () => Buffer.concat([await webp(), ascii('PK\x05\x06'), Buffer.alloc(18)]),
  },
]
