import sharp from 'sharp'
import { heicOf } from '../heic.ts'
import { markedPixels } from '../pictures.ts'
import { leaf, parent, serialize } from './boxes.ts'
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

/** A HEIC of one tile, whose bytes lie at these places of the file, shown 1,024 times; `data` stands at its end. */
function heicOfOneTile(
  extents: (dataAt: number) => Array<{ offset: number; length: number }>,
  data: Buffer,
): Buffer {
  const [tile, grid, side] = [1, 2, 32]
  const size = (pixels: number) => leaf('ispe', u32(0), u32(pixels), u32(pixels))
  const item = (id: number, type: string) =>
    leaf('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), ascii(type), Buffer.alloc(1))
  const properties = (id: number, ...numbers: number[]) =>
    Buffer.concat([u16(id), Buffer.from([numbers.length, ...numbers])])
  const configuration = Buffer.alloc(23)
  configuration[21] = 3
  const file = (dataAt: number) => {
    const places = extents(dataAt)
    return serialize([
      leaf('ftyp', ascii('heic'), u32(0), ascii('mif1heic')),
      leaf(
        'meta',
        u32(0),
        serialize([
          leaf('pitm', u32(0), u16(grid)),
          leaf('iinf', u32(0), u16(2), serialize([item(tile, 'hvc1'), item(grid, 'grid')])),
          leaf(
            'iref',
            u32(0),
            serialize([
              leaf(
                'dimg',
                u16(grid),
                u16(side * side),
                ...Array.from({ length: side * side }, () => u16(tile)),
              ),
            ]),
          ),
          parent(
            'iprp',
            parent('ipco', leaf('hvcC', configuration), size(64), size(64 * side)),
            leaf('ipma', u32(0), u32(2), properties(tile, 1, 2), properties(grid, 3)),
          ),
          leaf('idat', Buffer.from([0, 0, side - 1, side - 1]), u16(64 * side), u16(64 * side)),
          leaf(
            'iloc',
            Buffer.from([1, 0, 0, 0]),
            u16(0x4400),
            u16(2),
            ...[u16(tile), u16(0), u16(0), u16(places.length)],
            Buffer.concat(places.map(({ offset, length }) => Buffer.concat([u32(offset), u32(length)]))),
            ...[u16(grid), u16(1), u16(0), u16(1), u32(0), u32(8)],
          ),
        ]),
      ),
    ])
  }
  return Buffer.concat([file(file(0).length + 8), serialize([leaf('mdat', data)])])
}

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
    {
      what: 'a HEIC of 1,024 tiles in 65,535 pieces each',
      outcome: 'media_unreadable',
      make: () =>
        heicOfOneTile(
          (at) =>
            Array.from({ length: 65_535 }, (_, index) => ({ offset: at + Math.min(index, 4), length: 1 })),
          // One unit that fills the rest, so that each tile is well-formed.
          Buffer.concat([u32(65_531), Buffer.alloc(1)]),
        ),
    },
    {
      what: 'a HEIC of 100 million empty units',
      outcome: 'media_too_large',
      make: () => heicOfOneTile((offset) => [{ offset, length: 400_000 }], Buffer.alloc(400_000)),
    },
  ]
}
