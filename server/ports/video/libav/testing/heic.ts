import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AV_PIX_FMT_RGB24, Encoder, FF_ENCODER_LIBX265, FilterAPI, Frame, Muxer, Rational } from 'node-av'
import sharp from 'sharp'
import { leaf, parent, parse, serialize } from './hostile/boxes.ts'
import { ascii, u16, u32 } from './hostile/chunks.ts'

const u8 = (...values: number[]) => Buffer.from(values)

/**
 * A HEIC picture as phones write it: HEVC tiles that a grid puts together, with a color profile, a turn (quarter
 * turns counterclockwise), and EXIF that must not get out. `pixels` is packed RGB; the tiles may reach beyond it.
 */
export async function heicOf(
  folder: string,
  picture: {
    pixels: Buffer
    width: number
    height: number
    tile: number
    turns?: number
    mirrored?: boolean
    profile?: Buffer
    nclx?: [number, number, number]
  },
): Promise<Buffer> {
  const { width, height, tile } = picture
  const columns = Math.ceil(width / tile)
  const rows = Math.ceil(height / tile)
  const { configuration, samples } = await encodeTiles(folder, picture, columns, rows)
  const count = samples.length
  const grid = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width), u16(height)])
  const exif = ascii('\0\0\0\0CANARY-OWNER')
  const color = picture.nclx
    ? leaf('colr', ascii('nclx'), ...picture.nclx.map((value) => u16(value)), u8(0x80))
    : leaf('colr', ascii('prof'), picture.profile ?? Buffer.alloc(0))
  const size = (w: number, h: number) => leaf('ispe', u32(0), u32(w), u32(h))
  const properties = [leaf('hvcC', configuration), size(tile, tile), size(width, height), color]
  const ownTransforms = [
    ...(picture.turns ? [leaf('irot', u8(picture.turns))] : []),
    ...(picture.mirrored ? [leaf('imir', u8(1))] : []),
  ]
  const gridId = count + 1
  const exifId = count + 2
  const item = (id: number, type: string) => leaf('infe', u8(2, 0, 0, 0), u16(id), u16(0), ascii(type), u8(0))
  const bodies = [...samples, exif]
  const meta = (start: number) => {
    let at = start
    const places = bodies.map((body, index) => {
      const place = Buffer.concat([
        u16(index < count ? index + 1 : exifId),
        u16(0),
        u16(0),
        u16(1),
        u32(at),
        u32(body.length),
      ])
      at += body.length
      return place
    })
    const places1 = [
      ...places,
      Buffer.concat([u16(gridId), u16(1), u16(0), u16(1), u32(0), u32(grid.length)]),
    ]
    const associations = [
      ...samples.map((_, index) => Buffer.concat([u16(index + 1), u8(2, 0x81, 2)])),
      Buffer.concat([
        u16(gridId),
        u8(2 + ownTransforms.length, 3, 4, ...ownTransforms.map((_, index) => 0x80 | (5 + index))),
      ]),
    ]
    return serialize([
      leaf(
        'meta',
        u32(0),
        serialize([
          leaf('hdlr', u32(0), u32(0), ascii('pict'), Buffer.alloc(13)),
          leaf('pitm', u32(0), u16(gridId)),
          leaf(
            'iinf',
            u32(0),
            u16(count + 2),
            serialize([
              ...samples.map((_, index) => item(index + 1, 'hvc1')),
              item(gridId, 'grid'),
              item(exifId, 'Exif'),
            ]),
          ),
          leaf(
            'iref',
            u32(0),
            serialize([
              leaf('dimg', u16(gridId), u16(count), ...samples.map((_, index) => u16(index + 1))),
              leaf('cdsc', u16(exifId), u16(1), u16(gridId)),
            ]),
          ),
          parent(
            'iprp',
            parent('ipco', ...properties, ...ownTransforms),
            leaf('ipma', u32(0), u32(associations.length), ...associations),
          ),
          leaf('idat', grid),
          leaf('iloc', u8(1, 0, 0, 0), u16(0x4400), u16(places1.length), ...places1),
        ]),
      ),
    ])
  }
  const ftyp = serialize([leaf('ftyp', ascii('heic'), u32(0), ascii('mif1heic'))])
  const length = ftyp.length + meta(0).length
  return Buffer.concat([ftyp, meta(length + 8), serialize([leaf('mdat', ...bodies)])])
}

/** Each tile as an HEVC frame of its own: what a muxer puts into an MP4 is taken out of it again. */
async function encodeTiles(
  folder: string,
  picture: { pixels: Buffer; width: number; height: number; tile: number },
  columns: number,
  rows: number,
): Promise<{ configuration: Buffer; samples: Buffer[] }> {
  const { tile } = picture
  // Several are made at once.
  const path = join(folder, `tiles-${randomUUID()}.mp4`)
  {
    await using muxer = await Muxer.open(path, { format: 'mp4' })
    using filter = FilterAPI.create(
      'scale=out_color_matrix=smpte170m:out_range=pc,format=yuv420p,setparams=range=pc:colorspace=smpte170m',
    )
    using encoder = await Encoder.create(FF_ENCODER_LIBX265, {
      filter,
      options: {
        preset: 'ultrafast',
        crf: 4,
        'x265-params': 'log-level=none:keyint=1:bframes=0:repeat-headers=0:range=full:no-open-gop=1',
      },
    })
    const index = muxer.addStream(encoder)
    for await (const packet of encoder.packets(filter.frames(tiles()))) {
      using held = packet
      await muxer.writePacket(held, index)
    }
  }
  async function* tiles() {
    for (let number = 0; number < columns * rows; number += 1) {
      const frame = Frame.fromVideoBuffer(
        await cut(picture, number % columns, Math.floor(number / columns)),
        {
          width: tile,
          height: tile,
          format: AV_PIX_FMT_RGB24,
          pts: BigInt(number),
          timeBase: new Rational(1, 10),
        },
      )
      frame.duration = 1n
      yield frame
    }
    yield null
  }
  const file = await readFile(path)
  return samplesOf(file)
}

async function cut(
  { pixels, width, height, tile }: { pixels: Buffer; width: number; height: number; tile: number },
  column: number,
  row: number,
): Promise<Buffer> {
  const left = column * tile
  const top = row * tile
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: Math.min(tile, width - left), height: Math.min(tile, height - top) })
    .extend({
      right: Math.max(0, left + tile - width),
      bottom: Math.max(0, top + tile - height),
      extendWith: 'copy',
    })
    .raw()
    .toBuffer()
}

function samplesOf(file: Buffer): { configuration: Buffer; samples: Buffer[] } {
  const at = file.indexOf('hvcC', 0, 'latin1')
  const configuration = file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
  const sizes = file.indexOf('stsz', 0, 'latin1')
  const count = file.readUInt32BE(sizes + 12)
  const shared = file.readUInt32BE(sizes + 8)
  const data = parse(file).find(({ type }) => type === 'mdat')?.body
  if (!data) throw new Error('no samples')
  let from = 0
  const samples = Array.from({ length: count }, (_, index) => {
    const length = shared || file.readUInt32BE(sizes + 16 + 4 * index)
    from += length
    return data.subarray(from - length, from)
  })
  return { configuration, samples }
}
