import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Corner colors of every marked picture when it is the right way up. */
export const corners = {
  topLeft: 'red',
  topRight: 'green',
  bottomLeft: 'blue',
  bottomRight: 'white',
} as const
export type Corners = Record<keyof typeof corners, string>

const palette: Record<string, [number, number, number]> = {
  red: [230, 20, 20],
  green: [20, 180, 20],
  blue: [20, 20, 230],
  white: [250, 250, 250],
}

/** Packed RGB of a picture whose four quarters have the four colors. */
export function markedPixels(width: number, height: number): Buffer {
  const left = Math.ceil(width / 2)
  const row = (...[one, other]: [string, string]) =>
    Buffer.concat([
      Buffer.alloc(left * 3, Buffer.from(palette[one] ?? [0])),
      Buffer.alloc((width - left) * 3, Buffer.from(palette[other] ?? [0])),
    ])
  const top = row(corners.topLeft, corners.topRight)
  const bottom = row(corners.bottomLeft, corners.bottomRight)
  const upper = Math.ceil(height / 2)
  return Buffer.concat([
    Buffer.alloc(upper * top.length, top),
    Buffer.alloc((height - upper) * bottom.length, bottom),
  ])
}

export function markedPicture(width: number, height: number): Sharp {
  return sharp(markedPixels(width, height), { raw: { width, height, channels: 3 } })
}

/** Names the colors found near the four corners of packed RGB(A) pixels. */
export function readCorners(data: Buffer, width: number, height: number, channels: number): Corners {
  const at = (x: number, y: number) => {
    const offset = (Math.floor(y * height) * width + Math.floor(x * width)) * channels
    return nearest([data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0])
  }
  return {
    topLeft: at(0.2, 0.2),
    topRight: at(0.8, 0.2),
    bottomLeft: at(0.2, 0.8),
    bottomRight: at(0.8, 0.8),
  }
}

function nearest(pixel: [number, number, number]): string {
  const distance = (color: [number, number, number]) =>
    color.reduce((sum, value, channel) => sum + (value - (pixel[channel] ?? 0)) ** 2, 0)
  const found = Object.entries(palette).find(([, color]) => distance(color) < 110 ** 2)
  return found?.[0] ?? `rgb(${pixel.join(', ')})`
}

/** How the stored pixels of each EXIF orientation come from the upright ones (TIFF 6.0, tag 274). */
const stored: Record<number, (upright: Sharp) => Sharp> = {
  1: (upright) => upright,
  2: (upright) => upright.flop(),
  3: (upright) => upright.rotate(180),
  4: (upright) => upright.flip(),
  5: (upright) => upright.flop().rotate(270),
  6: (upright) => upright.rotate(270),
  7: (upright) => upright.flop().rotate(90),
  8: (upright) => upright.rotate(90),
}

/** A JPEG with the orientation tag, a position, an owner and a serial number in its EXIF block. */
export async function orientedJpeg(orientation: number, width: number, height: number): Promise<Buffer> {
  const turn = stored[orientation]
  if (!turn) throw new Error(`no such orientation: ${orientation}`)
  const pixels = await turn(markedPicture(width, height)).png().toBuffer()
  return sharp(pixels)
    .withExif({
      IFD0: { Make: 'CANARY-MAKE', Artist: 'CANARY-OWNER' },
      IFD2: { BodySerialNumber: 'CANARY-SERIAL' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 4366/100',
      },
    })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** A PNG that says it is that large and holds no pixel. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', Buffer.alloc(64, 1))])
}

/** The same JPEG with other dimensions in its frame header (SOF0). */
export function withJpegSize(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}
