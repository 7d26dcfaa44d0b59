import { open } from 'node:fs/promises'

const rowsPerStrip = 64

/** Pixels, 8 bits each of red, green and blue, on their way to sharp, which doesn't read their codec. */
export type Uncompressed = {
  width: number
  height: number
  /** EXIF's number of how the picture must be turned. */
  orientation: number
  profile: Buffer | null
}

type Field = { tag: number; type: 3 | 4 | 7; count: number; value: number | Buffer }

/**
 * Writes an uncompressed TIFF (6.0, baseline RGB) whose rows come from `bands` in order, so that a large picture is
 * never in memory as a whole. The bands must come to exactly the whole height.
 */
export async function writeTiff(
  path: string,
  picture: Uncompressed,
  bands: AsyncIterable<Buffer>,
): Promise<void> {
  const rowBytes = picture.width * 3
  const total = rowBytes * picture.height
  await using file = await open(path, 'w')
  let position = 8
  for await (const band of bands) {
    await file.write(band, 0, band.length, position)
    position += band.length
  }
  if (position !== 8 + total) throw new Error('the rows are not as many as the picture has')
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  // The directory begins on a word.
  const start = position + (position % 2)
  head.writeUInt32LE(start, 4)
  await file.write(head, 0, head.length, 0)
  const directory = directoryOf(picture, rowBytes, start)
  await file.write(directory, 0, directory.length, start)
}

function directoryOf(picture: Uncompressed, rowBytes: number, start: number): Buffer {
  const { width, height, orientation, profile } = picture
  const strips = Math.ceil(height / rowsPerStrip)
  const offsets = Buffer.alloc(4 * strips)
  const lengths = Buffer.alloc(4 * strips)
  for (let strip = 0; strip < strips; strip += 1) {
    const rows = Math.min(rowsPerStrip, height - strip * rowsPerStrip)
    offsets.writeUInt32LE(8 + strip * rowsPerStrip * rowBytes, 4 * strip)
    lengths.writeUInt32LE(rows * rowBytes, 4 * strip)
  }
  const depth = Buffer.from([8, 0, 8, 0, 8, 0])
  const fields: Field[] = [
    { tag: 256, type: 4, count: 1, value: width },
    { tag: 257, type: 4, count: 1, value: height },
    { tag: 258, type: 3, count: 3, value: depth },
    { tag: 259, type: 3, count: 1, value: 1 },
    { tag: 262, type: 3, count: 1, value: 2 },
    { tag: 273, type: 4, count: strips, value: strips === 1 ? offsets.readUInt32LE(0) : offsets },
    { tag: 274, type: 3, count: 1, value: orientation },
    { tag: 277, type: 3, count: 1, value: 3 },
    { tag: 278, type: 4, count: 1, value: rowsPerStrip },
    { tag: 279, type: 4, count: strips, value: strips === 1 ? lengths.readUInt32LE(0) : lengths },
    ...(profile ? [{ tag: 34675, type: 7 as const, count: profile.length, value: profile }] : []),
  ]
  const table = Buffer.alloc(2 + 12 * fields.length + 4)
  table.writeUInt16LE(fields.length, 0)
  const behind: Buffer[] = []
  let free = start + table.length
  for (const [index, { tag, type, count, value }] of fields.entries()) {
    const at = 2 + 12 * index
    table.writeUInt16LE(tag, at)
    table.writeUInt16LE(type, at + 2)
    table.writeUInt32LE(count, at + 4)
    table.writeUInt32LE(typeof value === 'number' ? value : free, at + 8)
    if (typeof value === 'number') continue
    const padded = value.length % 2 ? Buffer.concat([value, Buffer.alloc(1)]) : value
    behind.push(padded)
    free += padded.length
  }
  return Buffer.concat([table, ...behind])
}
