import { type FileHandle, open } from 'node:fs/promises'
import { Refused } from '../refused.ts'
import { need, Reader } from './boxes.ts'
import { type Item, readItems } from './items.ts'

const maxMetaBytes = 4 * 1024 * 1024
const maxTiles = 1024
const maxPictureBytes = 128 * 1024 * 1024
/** Parameter sets and slices of all tiles together; phones write five a tile. */
const maxUnits = 20_000

/** The standard knows 96 of them (ITU-T H.265, 7.4.3), and messages may stand beside them. */
const maxParameterSets = 128

/** How samples become colors (ISO/IEC 23091-2), when the file says so itself. */
export type Nclx = { primaries: number; transfer: number; matrix: number; fullRange: boolean }

/** A HEIC picture (ISO/IEC 23008-12): one HEVC frame, or a grid of equal ones. */
export type Heif = {
  /** Of the whole, before it is turned. */
  width: number
  height: number
  columns: number
  rows: number
  tile: { width: number; height: number }
  /** EXIF's number of how the picture must be turned. */
  orientation: number
  profile: Buffer | null
  nclx: Nclx | null
  /** The frames in rows from the top left, as an HEVC byte stream. */
  stream: Buffer
}

/** Reads the primary picture of a HEIC file without decoding anything; nothing else in the file is looked at. */
export async function readHeif(
  path: string,
  checkSize: (width: number, height: number) => void,
): Promise<Heif> {
  await using file = await open(path)
  const meta = await readMeta(file)
  const { primary, find, tilesOf, idat } = readItems(meta)
  const { width, height } = primary
  checkSize(width, height)
  const grid = primary.type === 'grid' ? readGrid(await bytesOf(file, primary, idat)) : null
  const tiles = grid ? tilesOf.map(find) : [primary]
  const [first] = tiles
  if (!first || tiles.some((tile) => tile.type !== 'hvc1')) throw new Refused('media_type_unsupported')
  const { columns, rows } = grid ?? { columns: 1, rows: 1 }
  const fits = grid
    ? columns * first.width >= width && rows * first.height >= height
    : first.width === width && first.height === height
  const equal = tiles.every((tile) => tile.width === first.width && tile.height === first.height)
  if (!fits || !equal || tiles.length !== columns * rows || tiles.length > maxTiles)
    throw new Refused('media_unreadable')
  checkSize(columns * first.width, rows * first.height)
  const colors = primary.properties.some(({ type }) => type === 'colr') ? primary : first
  return {
    width,
    height,
    columns,
    rows,
    tile: { width: first.width, height: first.height },
    orientation: orientationOf(primary),
    ...colorsOf(colors),
    stream: await streamOf(file, tiles, idat),
  }
}

async function readMeta(file: FileHandle): Promise<Buffer> {
  const { size: fileSize } = await file.stat()
  const header = Buffer.alloc(8)
  for (let position = 0, count = 0; position + 8 <= fileSize && count < 100; count += 1) {
    await file.read(header, 0, 8, position)
    const size = header.readUInt32BE(0)
    if (header.toString('latin1', 4) === 'meta') {
      if (size < 12 || size > maxMetaBytes || position + size > fileSize) break
      const meta = Buffer.alloc(size - 12)
      await file.read(meta, 0, meta.length, position + 12)
      return meta
    }
    if (size < 8) break
    position += size
  }
  throw new Refused('media_unreadable')
}

/** The derived picture `grid`: how many tiles, side by side and below one another. */
function readGrid(bytes: Buffer): { columns: number; rows: number } {
  const reader = new Reader(bytes)
  reader.uint(2)
  return { rows: reader.uint(1) + 1, columns: reader.uint(1) + 1 }
}

async function bytesOf(file: FileHandle, item: Item, idat: Buffer | null): Promise<Buffer> {
  const length = item.extents.reduce((sum, extent) => sum + extent.length, 0)
  if (length === 0 || length > maxPictureBytes) throw new Refused('media_unreadable')
  const parts: Buffer[] = []
  for (const extent of item.extents) {
    if (item.inIdat) {
      parts.push((idat ?? Buffer.alloc(0)).subarray(extent.offset, extent.offset + extent.length))
      continue
    }
    const part = Buffer.alloc(extent.length)
    const { bytesRead } = await file.read(part, 0, part.length, extent.offset)
    parts.push(part.subarray(0, bytesRead))
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length !== length) throw new Refused('media_unreadable')
  return bytes
}

const startCode = Buffer.from([0, 0, 0, 1])

/** Parameter sets and slices one behind the other (ITU-T H.265, annex B), instead of each with its length. */
async function streamOf(file: FileHandle, tiles: Item[], idat: Buffer | null): Promise<Buffer> {
  const parts: Buffer[] = []
  let total = 0
  const add = (unit: Buffer) => {
    total += unit.length
    if (total > maxPictureBytes || parts.length >= maxUnits * 2) throw new Refused('media_too_large')
    parts.push(startCode, unit)
  }
  let known: Buffer = Buffer.alloc(0)
  for (const tile of tiles) {
    const { parameterSets, lengthBytes, configuration } = readConfiguration(tile)
    const bytes = new Reader(await bytesOf(file, tile, idat))
    if (!known.equals(configuration)) parameterSets.forEach(add)
    known = configuration
    while (bytes.rest().length > 0) add(bytes.take(bytes.uint(lengthBytes)))
  }
  return Buffer.concat(parts)
}

/** The decoder configuration record `hvcC` (ISO/IEC 14496-15, 8.3.3). */
function readConfiguration({ properties }: Item) {
  const configuration = need(properties, 'hvcC')
  const reader = new Reader(configuration)
  reader.take(21)
  const lengthBytes = (reader.uint(1) & 3) + 1
  const parameterSets: Buffer[] = []
  const arrays = reader.uint(1)
  for (let array = 0; array < arrays; array += 1) {
    reader.uint(1)
    const units = reader.uint(2)
    if (parameterSets.length + units > maxParameterSets) throw new Refused('media_unreadable')
    for (let unit = 0; unit < units; unit += 1) parameterSets.push(reader.take(reader.uint(2)))
  }
  return { configuration, lengthBytes, parameterSets }
}

type Turn = readonly [number, number, number, number]
const counterclockwise: Turn = [0, 1, -1, 0]
const swapsRows: Turn = [1, 0, 0, -1]
const swapsColumns: Turn = [-1, 0, 0, 1]
/** How the stored pixels are turned upright by each of EXIF's orientations, 1 to 8. */
const orientations = [
  '1,0,0,1',
  '-1,0,0,1',
  '-1,0,0,-1',
  '1,0,0,-1',
  '0,1,1,0',
  '0,-1,1,0',
  '0,-1,-1,0',
  '0,1,-1,0',
]

/** Turns and mirrorings of the item, in their order, as one of EXIF's orientations. */
function orientationOf({ properties }: Item): number {
  let turn: Turn = [1, 0, 0, 1]
  for (const { type, body } of properties) {
    const value = body[0] ?? 0
    if (type === 'irot')
      for (let count = value & 3; count > 0; count -= 1) turn = after(counterclockwise, turn)
    if (type === 'imir') turn = after(value & 1 ? swapsColumns : swapsRows, turn)
  }
  return 1 + Math.max(0, orientations.indexOf(turn.map((cell) => cell + 0).join(',')))
}

function after([a, b, c, d]: Turn, [e, f, g, h]: Turn): Turn {
  return [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
}

function colorsOf({ properties }: Item): { profile: Buffer | null; nclx: Nclx | null } {
  let profile: Buffer | null = null
  let nclx: Nclx | null = null
  for (const { type, body } of properties) {
    const kind = type === 'colr' ? body.toString('latin1', 0, 4) : ''
    if (kind === 'prof' || kind === 'rICC') profile = body.subarray(4)
    if (kind === 'nclx' && body.length >= 11)
      nclx = {
        primaries: body.readUInt16BE(4),
        transfer: body.readUInt16BE(6),
        matrix: body.readUInt16BE(8),
        fullRange: (body[10] ?? 0) >> 7 === 1,
      }
  }
  return { profile, nclx }
}
