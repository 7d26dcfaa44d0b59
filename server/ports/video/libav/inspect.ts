import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import { checkBoxes } from './boxes.ts'
import { maxAnimationPixels, minSide } from './limits.ts'
import { Refused } from './refused.ts'

/** What the bytes are. `demuxer` is FFmpeg's name of the only format they will be opened as. */
export type Inspected =
  | { kind: 'image' }
  | { kind: 'animation'; demuxer: 'apng' | 'webp_anim' }
  | { kind: 'video'; demuxer: 'mov' }

const videoTypes = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp'])
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp'])

/**
 * Decides by the bytes alone what a file is, and refuses it before anything is decoded: size and dimensions come
 * from the headers. Source: decisions section 4, security rows 15, 16 and 18.
 */
export async function inspect(path: string, maxPixels: number): Promise<Inspected> {
  const { head, tail, size } = await readEnds(path)
  if (size === 0) throw new Refused('media_empty')
  const mime = (await fileTypeFromFile(path))?.mime ?? ''
  if (!videoTypes.has(mime) && !imageTypes.has(mime)) throw new Refused('media_type_unsupported')
  if (carriesActiveContent(head) || carriesActiveContent(tail) || endsAsArchive(tail)) {
    throw new Refused('media_type_unsupported')
  }
  if (videoTypes.has(mime)) {
    checkBoxes(path, size)
    return { kind: 'video', demuxer: 'mov' }
  }
  const pages = await readHeader(path, maxPixels)
  if (mime === 'image/apng') return { kind: 'animation', demuxer: 'apng' }
  if (mime === 'image/webp' && pages > 1) return { kind: 'animation', demuxer: 'webp_anim' }
  return { kind: 'image' }
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

const headBytes = 4096
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

/** Where browsers and readers look for a document: markup or PDF hidden at either end of a picture. */
function carriesActiveContent(bytes: Buffer): boolean {
  return /<(script|html|!doctype|iframe|\?php)[\s>]|<svg\s|%PDF-\d/i.test(bytes.toString('latin1'))
}

function endsAsArchive(tail: Buffer): boolean {
  const start = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (start < 0 || start + 22 > tail.length) return false
  return start + 22 + tail.readUInt16LE(start + 20) === tail.length
}
