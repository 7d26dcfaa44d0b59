import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'

/** How a picture is decoded: by sharp at once, or made into one that sharp decodes. */
type Still = 'sharp' | 'jpeg' | 'heic' | 'bmp'
export type Demuxer = 'mov' | 'apng' | 'webp_anim' | 'gif'
export type FileKind =
  | { kind: 'still'; decoder: Still }
  /** A picture that moves when it has more than one frame. */
  | { kind: 'pages'; demuxer: Exclude<Demuxer, 'mov'> }
  | { kind: 'sequence'; demuxer: 'mov' }
  | { kind: 'video'; demuxer: 'mov' }

const still = (decoder: Still): FileKind => ({ kind: 'still', decoder })
const kinds: Record<string, FileKind> = {
  'image/jpeg': still('jpeg'),
  'image/png': still('sharp'),
  'image/tiff': still('sharp'),
  'image/avif': still('sharp'),
  'image/heic': still('heic'),
  'image/heif': still('heic'),
  'image/bmp': still('bmp'),
  'image/gif': { kind: 'pages', demuxer: 'gif' },
  'image/apng': { kind: 'pages', demuxer: 'apng' },
  'image/webp': { kind: 'pages', demuxer: 'webp_anim' },
  'image/heic-sequence': { kind: 'sequence', demuxer: 'mov' },
  'video/mp4': { kind: 'video', demuxer: 'mov' },
  'video/quicktime': { kind: 'video', demuxer: 'mov' },
  'video/x-m4v': { kind: 'video', demuxer: 'mov' },
  'video/3gpp': { kind: 'video', demuxer: 'mov' },
}
/** As many bytes as tell a kind of file. */
export const headBytes = 4096

/** The kind of a file by its first bytes; null for a kind that is not accepted. */
export async function kindOf(head: Buffer): Promise<FileKind | null> {
  const mime = (await fileTypeFromBuffer(head))?.mime ?? ''
  const brands = mime.startsWith('image/') ? brandsOf(head) : []
  if (brands[0] === 'avis') return { kind: 'sequence', demuxer: 'mov' }
  if (mime === 'image/heif' && brands.includes('avif')) return still('sharp')
  return kinds[mime] ?? null
}

/** The brands in the box `ftyp`, the major one first (ISO/IEC 14496-12, 4.3). */
function brandsOf(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const box = head.subarray(0, Math.min(head.readUInt32BE(0), head.length))
  const names = box.toString('latin1', 8).match(/.{4}/gs) ?? []
  return [names[0] ?? '', ...names.slice(2)]
}

/** Whether preparing the file means encoding frame after frame, as far as its first bytes tell. */
export async function isMoving(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const head = buffer.subarray(0, bytesRead)
  const kind = await kindOf(head)
  if (kind?.kind === 'pages' && kind.demuxer === 'webp_anim') return isAnimatedWebp(head)
  return kind !== null && kind.kind !== 'still'
}

/** The flag in the extended header (RFC 9649, 2.7). */
function isAnimatedWebp(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0
}
