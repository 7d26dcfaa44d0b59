import { Refused } from '../refused.ts'

export type Box = { type: string; body: Buffer }

/** Reads numbers of any width from a box, front to back; beyond its end the file is unreadable. */
export class Reader {
  private at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  uint(width: number): number {
    if (width === 0) return 0
    const value = width > 6 ? this.wide() : this.take(width).readUIntBE(0, width)
    if (!Number.isSafeInteger(value)) throw new Refused('media_unreadable')
    return value
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Refused('media_unreadable')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at)
  }

  /** Version and flags of a full box. */
  fullBox(): { version: number; flags: number } {
    return { version: this.uint(1), flags: this.uint(3) }
  }

  private wide(): number {
    return Number(this.take(8).readBigUInt64BE(0))
  }
}

/** The boxes that stand in these bytes side by side (ISO/IEC 14496-12, 4.2). */
export function childrenOf(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  const reader = new Reader(bytes)
  while (reader.rest().length >= 8) {
    const size = reader.uint(4)
    const type = reader.take(4).toString('latin1')
    const header = size === 1 ? 16 : 8
    const length = size === 1 ? reader.uint(8) : size
    const body = size === 0 ? reader.rest().length : length - header
    if (body < 0) throw new Refused('media_unreadable')
    boxes.push({ type, body: reader.take(body) })
  }
  return boxes
}

/** The one box of this type; without it the file is unreadable. */
export function need(boxes: Box[], type: string): Buffer {
  const box = boxes.find((candidate) => candidate.type === type)
  if (!box) throw new Refused('media_unreadable')
  return box.body
}
