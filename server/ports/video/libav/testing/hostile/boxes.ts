import { ascii, u32 } from './chunks.ts'

/** A box of an MP4 file (ISO/IEC 14496-12, 4.2): a parent has children, a leaf has a body. */
export type Box = { type: string; body: Buffer; children: Box[] | null }

const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf', 'edts', 'udta'])

export const leaf = (type: string, ...body: Buffer[]): Box => ({
  type,
  body: Buffer.concat(body),
  children: null,
})
export const parent = (type: string, ...children: Box[]): Box => ({ type, body: Buffer.alloc(0), children })

export function parse(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let position = 0; position + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(position)
    if (size < 8) throw new Error(`a box of ${size} bytes at ${position}`)
    const type = bytes.toString('latin1', position + 4, position + 8)
    const body = bytes.subarray(position + 8, position + size)
    boxes.push({ type, body, children: parents.has(type) ? parse(body) : null })
    position += size
  }
  return boxes
}

export function serialize(boxes: Box[]): Buffer {
  return Buffer.concat(
    boxes.map(({ type, body, children }) => {
      const content = children ? serialize(children) : body
      return Buffer.concat([u32(content.length + 8), ascii(type), content])
    }),
  )
}

/** The first box under that path, such as `moov/trak/mdia`. */
export function find(boxes: Box[], path: string): Box {
  const [type, ...rest] = path.split('/')
  const box = boxes.find((candidate) => candidate.type === type)
  if (!box) throw new Error(`no box ${type}`)
  return rest.length > 0 ? find(box.children ?? [], rest.join('/')) : box
}

/** A copy of the file after `change` of its boxes. The media data comes first in it, so that offsets stay true. */
export function edit(file: Buffer, change: (boxes: Box[]) => void): Buffer {
  const boxes = parse(Buffer.from(file))
  change(boxes)
  return serialize(boxes)
}

/** A copy of the file with 32-bit numbers written into the body of one box, by their offset in it. */
export function patch(file: Buffer, path: string, numbers: Record<number, number>): Buffer {
  return edit(file, (boxes) => {
    const { body } = find(boxes, path)
    for (const [offset, value] of Object.entries(numbers)) u32(value).copy(body, Number(offset))
  })
}
