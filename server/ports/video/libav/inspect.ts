import { open } from 'node:fs/promises'
import sharp from 'sharp'
import { checkBoxes } from './boxes.ts'
import { type Demuxer, headBytes, kindOf } from './kinds.ts'
import { maxAnimationPixels, maxSegments, minSide } from './limits.ts'
import { Refused } from './refused.ts'

/** The detected kind of the bytes. `demuxer` is FFmpeg's name of the only format they will be opened as. */
export type Inspected =
  | { kind: 'image'; decoder: 'sharp' | 'jpeg' | 'heic' | 'bmp' }
  | { kind: 'animation'; demuxer: Demuxer }
  /** `cut`: the last part of its media data is missing. */
  | { kind: 'video'; demuxer: 'mov'; cut: boolean }

/**
 * Decides by the bytes alone what a file is, and refuses it before anything is decoded: size and dimensions come
 * from the headers.
 */
export async function inspect(path: string, maxPixels: number): Promise<Inspected> {
  const { head, tail, size } = await readEnds(path)
  if (size === 0) throw new Refused('media_empty')
  const kind = await kindOf(head)
  if (!kind) throw new Refused('media_type_unsupported')
  const document =
    kind.kind === 'still' && kind.decoder === 'jpeg' ? await aroundMetadata(path) : { head, tail }
  if (carriesActiveContent(document.head) || carriesActiveContent(document.tail) || endsAsArchive(tail)) {
    throw new Refused('media_type_unsupported')
  }
  if (kind.kind === 'video') {
    return { ...kind, cut: checkBoxes(path, size) }
  }
  if (kind.kind === 'sequence') return { kind: 'animation', demuxer: kind.demuxer }
  // HEIC and BMP are measured by their own readers.
  if (kind.kind === 'still' && kind.decoder !== 'sharp' && kind.decoder !== 'jpeg')
    return { kind: 'image', decoder: kind.decoder }
  const pages = await readHeader(path, maxPixels)
  if (kind.kind === 'still') return { kind: 'image', decoder: kind.decoder }
  if (kind.demuxer === 'apng' || pages > 1) return { kind: 'animation', demuxer: kind.demuxer }
  return { kind: 'image', decoder: 'sharp' }
}

/** Throws unless the sides are neither too small to show nor too large to decode. */
export function checkDimensions(width: number, height: number, maxPixels: number): void {
  if (width * height > maxPixels) throw new Refused('media_too_many_pixels')
  if (width < minSide || height < minSide) throw new Refused('media_no_picture')
}

async function readHeader(path: string, maxPixels: number): Promise<number> {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new Refused('media_unreadable', error)
    })
  checkDimensions(header.width, header.height, maxPixels)
  const pages = header.pages ?? 1
  if (pages * header.width * header.height > maxAnimationPixels) throw new Refused('media_too_large')
  return pages
}

/** A ZIP archive is found from its end: 22 bytes and a comment of at most 65,535. */
const tailBytes = 22 + 65_535

async function readEnds(path: string): Promise<{ head: Buffer; tail: Buffer; size: number }> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const head = Buffer.alloc(Math.min(headBytes, size))
  await file.read(head, 0, head.length, 0)
  const tail = Buffer.alloc(Math.min(tailBytes, size))
  await file.read(tail, 0, tail.length, size - tail.length)
  return { head, tail, size }
}

/**
 * The ends of a JPEG without its application segments: camera and editor put XML there, which goes with them. Comments
 * stay, and what stands behind the picture.
 */
async function aroundMetadata(path: string): Promise<{ head: Buffer; tail: Buffer }> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const parts: Buffer[] = []
  const marker = Buffer.alloc(4)
  let position = 2
  for (let kept = 0, count = 0; kept < headBytes && position + 4 <= size; count += 1) {
    if (count === maxSegments) throw new Refused('media_unreadable')
    await file.read(marker, 0, 4, position)
    const code = marker[1] ?? 0
    if (marker[0] !== 0xff || code === 0xda) break
    const length = 2 + marker.readUInt16BE(2)
    const isMetadata = code >= 0xe0 && code <= 0xef
    const part = Buffer.alloc(isMetadata ? 0 : Math.min(length, headBytes - kept, size - position))
    if (part.length > 0) await file.read(part, 0, part.length, position)
    parts.push(part)
    kept += part.length
    position += length
  }
  const tail = Buffer.alloc(Math.max(0, Math.min(tailBytes, size - position)))
  if (tail.length > 0) await file.read(tail, 0, tail.length, size - tail.length)
  return { head: Buffer.concat(parts), tail }
}

/** Where browsers and readers look for a document: markup or PDF hidden at either end of a picture. Apple's property lists are none. */
function carriesActiveContent(bytes: Buffer): boolean {
  return /<(script|html|!doctype(?!\s+plist)|iframe|\?php)[\s>]|<svg\s|%PDF-\d/i.test(
    bytes.toString('latin1'),
  )
}

function endsAsArchive(tail: Buffer): boolean {
  const start = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (start < 0 || start + 22 > tail.length) return false
  return start + 22 + tail.readUInt16LE(start + 20) === tail.length
}
