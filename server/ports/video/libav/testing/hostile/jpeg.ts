import { markedPicture, withJpegSize } from '../pictures.ts'
import { ascii, exifBlock, jpegMarker, script, u16, u32, upTo, withBytes, withJpegSegment } from './chunks.ts'
import type { Row } from './row.ts'

const jpeg = () => markedPicture(320, 240).jpeg({ quality: 90 }).toBuffer()
const padding = Buffer.alloc(60_000, 0x20)
const icc = (claimed: number) =>
  Buffer.concat([ascii('ICC_PROFILE\0\x01\x01'), u32(claimed), ascii('CANARY'), Buffer.alloc(120, 0xff)])

/** A progressive JPEG whose last scan is there again and again: each has the decoder go over all of the picture. */
async function manyScans(count: number): Promise<Buffer> {
  const original = await markedPicture(2000, 2000).jpeg({ progressive: true }).toBuffer()
  const last = original.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = original.subarray(last, original.length - 2)
  return Buffer.concat([original.subarray(0, -2), ...Array.from({ length: count }, () => scan), u16(0xffd9)])
}

/** JPEG files that lie, carry something, or want more work than they are worth. */
export const jpegRows: Row[] = [
  {
    what: 'a JPEG of 65,535 by 65,535',
    outcome: 'media_unreadable',
    make: async () => withJpegSize(await jpeg(), 65_535, 65_535),
  },
  {
    what: 'a JPEG of 7,072 by 7,071 pixels',
    outcome: 'media_too_many_pixels',
    make: async () => withJpegSize(await jpeg(), 7072, 7071),
  },
  {
    what: 'a JPEG that claims 50 megapixels and holds few',
    outcome: 'media_unreadable',
    make: async () => withJpegSize(await jpeg(), 7071, 7071),
  },
  {
    what: 'a JPEG of no height',
    outcome: 'media_unreadable',
    make: async () => withJpegSize(await jpeg(), 320, 0),
  },
  {
    what: 'a JPEG of 400,000 empty segments',
    outcome: 'media_unreadable',
    make: async () => {
      const original = await jpeg()
      const empty = Buffer.alloc(1_600_000, Buffer.from([0xff, 0xe0, 0x00, 0x02]))
      return Buffer.concat([original.subarray(0, 2), empty, original.subarray(2)])
    },
  },
  { what: 'a JPEG of 3,000 scans', outcome: 'media_unreadable', make: () => manyScans(3000) },
  ...[0.02, 0.2, 0.99].map(
    (share): Row => ({
      what: `a JPEG cut at ${share}`,
      outcome: 'media_unreadable',
      make: async () => upTo(await jpeg(), share),
    }),
  ),
  {
    what: 'a progressive JPEG without its last, finest scan',
    outcome: 'clean',
    make: async () => {
      const bytes = await markedPicture(320, 240).jpeg({ progressive: true }).toBuffer()
      return bytes.subarray(0, bytes.lastIndexOf(Buffer.from([0xff, 0xda])))
    },
  },
  {
    what: 'a JPEG of 12 bits',
    outcome: 'media_unreadable',
    make: async () => {
      const bytes = await jpeg()
      return withBytes(bytes, jpegMarker(bytes, 0xc0) + 4, Buffer.from([12]))
    },
  },
  {
    what: 'a JPEG without its tables',
    outcome: 'media_unreadable',
    make: async () => {
      const bytes = await jpeg()
      return withBytes(bytes, jpegMarker(bytes, 0xdb), Buffer.from([0xff, 0xfe]))
    },
  },
  {
    what: 'a JPEG with SVG in its comment',
    outcome: 'media_type_unsupported',
    make: async () =>
      withJpegSegment(
        await jpeg(),
        0xfe,
        ascii('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">'),
      ),
  },
  {
    what: 'a JPEG with a script deep inside',
    outcome: 'clean',
    make: async () =>
      [padding, ascii(script), padding, padding].reduceRight<Buffer>(
        (bytes, comment) => withJpegSegment(bytes, 0xfe, comment),
        await jpeg(),
      ),
  },
  {
    what: 'a JPEG that is also JavaScript',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xfe, ascii('*/=alert("CANARY");/*')),
  },
  {
    what: 'a JPEG with a GIF in its comment',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xfe, ascii('GIF89a CANARY')),
  },
  {
    what: 'a JPEG with another behind it',
    outcome: 'clean',
    make: async () => Buffer.concat([await jpeg(), withJpegSegment(await jpeg(), 0xfe, ascii('CANARY'))]),
  },
  {
    what: 'a JPEG with EXIF beyond its end',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xe1, exifBlock(0x013b, 2, 0xffffffff, 0x7fffffff)),
  },
  {
    what: 'a JPEG with EXIF that goes in circles',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xe1, exifBlock(0x8769, 4, 1, 8, 8)),
  },
  {
    what: 'a JPEG with an orientation of 65,535',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xe1, exifBlock(0x0112, 3, 1, 0xffff0000)),
  },
  {
    what: 'a JPEG with XMP',
    outcome: 'clean',
    make: async () =>
      withJpegSegment(
        await jpeg(),
        0xe1,
        ascii('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>CANARY</x:xmpmeta>'),
      ),
  },
  {
    what: 'a JPEG with a color profile that lies about its size',
    outcome: 'clean',
    make: async () => withJpegSegment(await jpeg(), 0xe2, icc(0xffffffff)),
  },
  {
    what: 'a JPEG with a color profile in 255 parts of which one is there',
    outcome: 'clean',
    make: async () =>
      withJpegSegment(await jpeg(), 0xe2, Buffer.concat([ascii('ICC_PROFILE\0\x01\xff'), Buffer.alloc(200)])),
  },
  {
    what: 'a JPEG of inks without a profile',
    outcome: 'clean',
    make: () => markedPicture(320, 240).toColourspace('cmyk').jpeg().toBuffer(),
  },
]
