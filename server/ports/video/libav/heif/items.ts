import { Refused } from '../refused.ts'
import { type Box, childrenOf, need, Reader } from './boxes.ts'

const maxItems = 5000
/** Pieces that the bytes of an item lie in; phones write one. */
const maxExtents = 16

/** One item of a HEIF file (ISO/IEC 14496-12, 8.11): a coded picture, or one that is put together of others. */
export type Item = {
  type: string
  width: number
  height: number
  properties: Box[]
  /** Whether `extents` lie in the box `idat` or in the file. */
  inIdat: boolean
  extents: Array<{ offset: number; length: number }>
}

/** The primary item of the box `meta`, the ids of the pictures it is made of, and a way to find those. */
export function readItems(meta: Buffer): {
  primary: Item
  tilesOf: number[]
  find: (id: number) => Item
  idat: Buffer | null
} {
  const boxes = childrenOf(meta)
  const id = readPrimaryId(need(boxes, 'pitm'))
  const types = readTypes(need(boxes, 'iinf'))
  const places = readPlaces(need(boxes, 'iloc'))
  const properties = readProperties(childrenOf(need(boxes, 'iprp')))
  const find = (wanted: number): Item => {
    const type = types.get(wanted)
    const place = places.get(wanted)
    const own = properties(wanted)
    if (!type || !place) throw new Refused('media_unreadable')
    const size = new Reader(need(own, 'ispe'))
    size.fullBox()
    return { type, width: size.uint(4), height: size.uint(4), properties: own, ...place }
  }
  const references = boxes.find(({ type }) => type === 'iref')
  return {
    primary: find(id),
    tilesOf: references ? readTiles(references.body, id) : [],
    find,
    idat: boxes.find(({ type }) => type === 'idat')?.body ?? null,
  }
}

function readPrimaryId(body: Buffer): number {
  const reader = new Reader(body)
  return reader.uint(reader.fullBox().version === 0 ? 2 : 4)
}

function readTypes(body: Buffer): Map<number, string> {
  const reader = new Reader(body)
  const count = reader.uint(reader.fullBox().version === 0 ? 2 : 4)
  const types = new Map<number, string>()
  for (const { type, body: entry } of childrenOf(reader.rest()).slice(0, Math.min(count, maxItems))) {
    if (type !== 'infe') continue
    const fields = new Reader(entry)
    const { version } = fields.fullBox()
    if (version < 2) continue
    const id = fields.uint(version === 2 ? 2 : 4)
    fields.uint(2)
    types.set(id, fields.take(4).toString('latin1'))
  }
  return types
}

/** The box `iloc`. Bytes that lie in another item are none that pictures use. */
function readPlaces(body: Buffer): Map<number, Pick<Item, 'inIdat' | 'extents'>> {
  const reader = new Reader(body)
  const { version } = reader.fullBox()
  const sizes = reader.uint(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const count = reader.uint(version < 2 ? 2 : 4)
  const places = new Map<number, Pick<Item, 'inIdat' | 'extents'>>()
  for (let index = 0; index < Math.min(count, maxItems); index += 1) {
    const id = reader.uint(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : reader.uint(2) & 15
    reader.uint(2)
    const base = reader.uint(baseBytes)
    const extents: Item['extents'] = []
    const pieces = reader.uint(2)
    if (pieces > maxExtents) throw new Refused('media_unreadable')
    for (let extent = 0; extent < pieces; extent += 1) {
      reader.uint(indexBytes)
      extents.push({ offset: base + reader.uint(offsetBytes), length: reader.uint(lengthBytes) })
    }
    if (method < 2) places.set(id, { inIdat: method === 1, extents })
  }
  return places
}

/** Which of the shared properties each item has, in their order. */
function readProperties(boxes: Box[]): (id: number) => Box[] {
  const shared = childrenOf(need(boxes, 'ipco'))
  const reader = new Reader(need(boxes, 'ipma'))
  const { version, flags } = reader.fullBox()
  const count = reader.uint(4)
  const wide = flags & 1
  const own = new Map<number, Box[]>()
  for (let index = 0; index < Math.min(count, maxItems); index += 1) {
    const id = reader.uint(version === 0 ? 2 : 4)
    const properties: Box[] = []
    for (let number = reader.uint(1); number > 0; number -= 1) {
      const place = wide ? reader.uint(2) & 0x7fff : reader.uint(1) & 0x7f
      const property = shared[place - 1]
      if (property) properties.push(property)
    }
    own.set(id, properties)
  }
  return (id) => own.get(id) ?? []
}

/** The pictures that item `id` is derived from, in their order. */
function readTiles(body: Buffer, id: number): number[] {
  const reader = new Reader(body)
  const idBytes = reader.fullBox().version === 0 ? 2 : 4
  for (const reference of childrenOf(reader.rest())) {
    const fields = new Reader(reference.body)
    if (reference.type !== 'dimg' || fields.uint(idBytes) !== id) continue
    return Array.from({ length: fields.uint(2) }, () => fields.uint(idBytes))
  }
  return []
}
