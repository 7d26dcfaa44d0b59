import sharp from 'sharp'
import { heicOf } from '../heic.ts'
import { markedPixels } from '../pictures.ts'
import { ascii, u16, u32, upTo, withBytes } from './chunks.ts'
import type { Row } from './row.ts'

const gif = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()

const heic = async (folder: string) =>
  heicOf(folder, { pixels: markedPixels(300, 200), width: 300, height: 200, tile: 128, nclx: [1, 13, 6] })
/** Writes a 32-bit number so many bytes behind the name of a box. */
const patched = (bytes: Buffer, box: string, offset: number, value: number) =>
  withBytes(bytes, bytes.indexOf(box, 0, 'latin1') + 4 + offset, u32(value))

/** Pictures of phones and old programs that lie, or want more than they are worth; `folder` gets what they are made of. */
export function otherPictureRows(folder: string): Row[] {
  return [
    {
      what: 'a GIF that is also a script',
      outcome: 'clean',
      make: async () => Buffer.concat([await gif(), ascii('*/=1;alert("CANARY")')]),
    },
    {
      what: 'a GIF of 65,535 by 65,535',
      outcome: 'media_unreadable',
      make: () => Buffer.concat([ascii('GIF89a'), Buffer.alloc(4, 0xff), Buffer.alloc(32)]),
    },
    {
      what: 'a TIFF of 4 billion pixels a side',
      outcome: 'media_unreadable',
      make: () =>
        Buffer.concat([
          ascii('MM\x00*'),
          u32(8),
          u16(2),
          ...[256, 257].flatMap((tag) => [u16(tag), u16(4), u32(1), u32(0xffffffff)]),
          u32(0),
        ]),
    },
    {
      what: 'a BMP of a negative height',
      outcome: 'media_no_picture',
      make: () =>
        Buffer.concat([
          ascii('BM'),
          Buffer.alloc(12),
          Buffer.from([40, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0x80]),
          Buffer.alloc(28),
        ]),
    },
    {
      what: 'a HEIC of a header only',
      outcome: 'media_unreadable',
      make: () => Buffer.concat([u32(24), ascii('ftypheic'), u32(0), ascii('mif1heic'), Buffer.alloc(64)]),
    },
    {
      what: 'a HEIC cut at 0.9',
      outcome: 'media_unreadable',
      make: async () => upTo(await heic(folder), 0.9),
    },
    {
      what: 'a HEIC that claims tiles of 65,535 pixels a side',
      outcome: 'media_too_many_pixels',
      make: async () => patched(patched(await heic(folder), 'ispe', 4, 65_535), 'ispe', 8, 65_535),
    },
    {
      what: 'a HEIC whose tiles are 4 billion',
      outcome: 'media_unreadable',
      make: async () => patched(await heic(folder), 'dimg', 0, 0x0007ffff),
    },
    {
      what: 'a HEIC whose tile lies beyond the file',
      outcome: 'media_unreadable',
      make: async () => patched(await heic(folder), 'iloc', 16, 0x7fffffff),
    },
  ]
}
