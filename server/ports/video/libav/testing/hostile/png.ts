import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { markedPicture, pngHeader } from '../pictures.ts'
import { ascii, exifBlock, greyPng, pngChunk, script, u32, upTo, withBytes, withPngChunk } from './chunks.ts'
import type { Row } from './row.ts'

const png = () => markedPicture(320, 240).png({ compressionLevel: 0 }).toBuffer()

/** PNG files that lie, carry something, or want more work than they are worth. */
export const pngRows: Row[] = [
  {
    what: 'a PNG of 2 billion pixels a side',
    outcome: 'media_unreadable',
    make: () => pngHeader(0x7fffffff, 0x7fffffff),
  },
  { what: 'a PNG of 50,000 by 1,001', outcome: 'media_too_many_pixels', make: () => pngHeader(50_000, 1001) },
  { what: 'a PNG of no pixels', outcome: 'media_unreadable', make: () => pngHeader(0, 0) },
  { what: 'a PNG of 49 megapixels in 50 kB', outcome: 'clean', make: () => greyPng(7000, 7000) },
  {
    what: 'a PNG of 16 bits a channel, transparent',
    outcome: 'clean',
    make: () =>
      sharp({ create: { width: 200, height: 200, channels: 4, background: '#f008' } })
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
  },
  {
    what: 'an interlaced PNG of one column too few',
    outcome: 'media_no_picture',
    make: () => greyPng(31, 400),
  },
  ...[0.01, 0.3, 0.95].map(
    (share): Row => ({
      what: `a PNG cut at ${share}`,
      outcome: 'media_unreadable',
      make: async () => upTo(await png(), share),
    }),
  ),
  {
    what: 'a PNG whose data is said to be 2 GB',
    outcome: 'media_unreadable',
    make: async () => {
      const bytes = await png()
      return withBytes(bytes, bytes.indexOf('IDAT') - 4, u32(0x7fffffff))
    },
  },
  {
    what: 'a PNG whose data does not match its sum',
    outcome: 'media_unreadable',
    make: async () => {
      const bytes = await png()
      return withBytes(bytes, bytes.length - 16, u32(0))
    },
  },
  {
    what: 'a PNG without data',
    outcome: 'media_unreadable',
    make: () => {
      const bytes = greyPng(64, 64)
      return Buffer.concat([bytes.subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))])
    },
  },
  {
    what: 'a PNG with 200 MB of packed text',
    outcome: 'clean',
    make: async () =>
      withPngChunk(
        await png(),
        'zTXt',
        Buffer.concat([ascii('CANARY\0\0'), deflateSync(Buffer.alloc(200_000_000))]),
      ),
  },
  {
    what: 'a PNG with a color profile of 200 MB',
    outcome: 'clean',
    make: async () =>
      withPngChunk(
        await png(),
        'iCCP',
        Buffer.concat([ascii('CANARY\0\0'), deflateSync(Buffer.alloc(200_000_000))]),
      ),
  },
  {
    what: 'a PNG with 5,000 texts',
    outcome: 'clean',
    make: async () => {
      const bytes = await png()
      return Buffer.concat([
        bytes.subarray(0, 33),
        ...Array.from({ length: 5000 }, () => pngChunk('tEXt', ascii('Comment\0CANARY'))),
        bytes.subarray(33),
      ])
    },
  },
  {
    what: 'a PNG with a script in its text',
    outcome: 'media_type_unsupported',
    make: async () => withPngChunk(await png(), 'tEXt', ascii(`Comment\0${script}`)),
  },
  {
    what: 'a PNG with EXIF of a place',
    outcome: 'clean',
    make: async () =>
      withPngChunk(
        await png(),
        'eXIf',
        Buffer.concat([exifBlock(0x013b, 2, 6, 26).subarray(6), ascii('CANARY')]),
      ),
  },
  {
    what: 'a PNG that says it moves a billion times',
    outcome: 'media_unreadable',
    make: async () => withPngChunk(await png(), 'acTL', Buffer.concat([u32(1_000_000_000), u32(0)])),
  },
]
