import { readFile, stat, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { maxSegments, minIntactShare } from './limits.ts'
import { Refused } from './refused.ts'

/** A JPEG within the pixel limit is smaller; a larger file is not held in memory to be repaired. */
const maxBytes = 128 * 1024 * 1024
const maxScans = 64

type Scan = { end: number; components: number[]; first: number; last: number; missingBits: number }
type Frame = { at: number; height: number; progressive: boolean; components: number[] }
/** The file with the garbage between its segments left out, up to the end of its last scan. */
type Tidied = { bytes: Buffer; frame: Frame; scans: Scan[] }

const endMark = Buffer.from([0xff, 0xd9])

/**
 * Writes to `target` what decodes without a warning of a JPEG that doesn't as a whole: without stray bytes, without the rows at the
 * bottom that are missing, or, of a progressive one, without broken refinements. Throws `media_unreadable` when less
 * than 95% of the rows are left.
 */
export async function repairJpeg(path: string, target: string): Promise<void> {
  const tidied = (await stat(path)).size <= maxBytes ? tidy(await readFile(path)) : null
  const repaired = tidied && (await (tidied.frame.progressive ? wholeScans(tidied) : wholeRows(tidied)))
  if (!repaired) throw new Refused('media_unreadable')
  await writeFile(target, repaired)
}

/** The tallest part from the top, in hundredths of the height, whose rows all decode. */
async function wholeRows({ bytes, frame }: Tidied): Promise<Buffer | null> {
  const closed = Buffer.concat([bytes, endMark])
  for (let share = 100; share >= 100 * minIntactShare; share -= 1) {
    // Rows below that height aren't read.
    closed.writeUInt16BE(Math.floor((frame.height * share) / 100), frame.at)
    if (await decodes(closed)) return closed
  }
  return null
}

/** As many scans from the first as decode; those that are missing may only make the picture finer, not complete it. */
async function wholeScans({ bytes, frame, scans }: Tidied): Promise<Buffer | null> {
  for (let count = scans.length; count > 0; count -= 1) {
    const kept = scans.slice(0, count)
    if (!frame.components.every((component) => isComplete(component, kept))) return null
    const closed = Buffer.concat([bytes.subarray(0, kept.at(-1)?.end), endMark])
    if (await decodes(closed)) return closed
  }
  return null
}

/** Whether each of the 64 coefficients of a component was sent, but for its last bit at most. */
function isComplete(component: number, scans: Scan[]): boolean {
  const sent = new Set<number>()
  for (const { components, first, last, missingBits } of scans) {
    if (missingBits > 1 || !components.includes(component)) continue
    for (let index = first; index <= last; index += 1) sent.add(index)
  }
  return sent.size === 64
}

function decodes(bytes: Buffer): Promise<boolean> {
  return sharp(bytes, { failOn: 'warning', limitInputPixels: false })
    .extractChannel(0)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** Walks the segments (ITU T.81, annex B); null when frame or scans are missing, or segments are too many. */
function tidy(file: Buffer): Tidied | null {
  const parts: Buffer[] = [file.subarray(0, 2)]
  const scans: Scan[] = []
  let frame: Frame | null = null
  let length = 2
  let position = 2
  const keep = (from: number, to: number) => {
    parts.push(file.subarray(from, to))
    length += to - from
  }
  for (;;) {
    const marker = nextMarker(file, position)
    if (!marker || marker.code === 0xd9 || marker.at + 4 > file.length) break
    const end = marker.at + 2 + file.readUInt16BE(marker.at + 2)
    if (end > file.length) break
    if (parts.length > maxSegments) return null
    const body = file.subarray(marker.at + 4, end)
    if (isFrame(marker.code)) {
      if (frame || body.length < 6 + 3 * (body[5] ?? 0)) return null
      frame = { ...readFrame(body, marker.code), at: length + 5 }
    }
    keep(marker.at, end)
    position = end
    if (marker.code !== 0xda) continue
    position = scanEnd(file, end)
    keep(end, position)
    scans.push({ ...readScan(body), end: length })
    if (scans.length > maxScans) return null
  }
  return frame && frame.height > 0 && scans.length > 0 ? { bytes: Buffer.concat(parts), frame, scans } : null
}

/** The next marker with a length, over whatever stands before it. */
function nextMarker(file: Buffer, from: number): { at: number; code: number } | null {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 1)) {
    const code = file[at + 1] ?? 0
    if (code >= 0xc0 && code < 0xff && (code < 0xd0 || code > 0xd8)) return { at, code }
  }
  return null
}

/** Where the entropy-coded bytes end: at the next marker that is no restart. */
function scanEnd(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const code = file[at + 1] ?? 0
    const known = [0xc4, 0xd9, 0xda, 0xdb, 0xdc, 0xdd].includes(code) || (code >= 0xe0 && code <= 0xef)
    if (known) return at
  }
  return file.length
}

const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)

function readFrame(body: Buffer, code: number): Omit<Frame, 'at'> {
  const count = body[5] ?? 0
  const components = Array.from({ length: count }, (_, index) => body[6 + 3 * index] ?? 0)
  return { height: body.readUInt16BE(1), progressive: code === 0xc2, components }
}

function readScan(body: Buffer): Omit<Scan, 'end'> {
  const count = body[0] ?? 0
  const components = Array.from({ length: count }, (_, index) => body[1 + 2 * index] ?? 0)
  const at = 1 + 2 * count
  return {
    components,
    first: body[at] ?? 0,
    last: Math.min(63, body[at + 1] ?? 0),
    missingBits: (body[at + 2] ?? 0) & 15,
  }
}
