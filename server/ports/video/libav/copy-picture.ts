import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { labelFor } from './label.ts'

const maxSide = 4096

/** See `MediaProcessor.copyPicture`. sharp keeps no metadata unless it is asked to. */
export async function copyPicture(input: {
  picture: Buffer | Readable
  text: string | null
}): Promise<Buffer> {
  const original = Buffer.isBuffer(input.picture) ? input.picture : await buffer(input.picture)
  const { data, info } = await sharp(original, { autoOrient: true })
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .flatten({ background: 'white' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const picture = sharp(data, { raw: { width, height, channels } })
  const label = input.text === null ? null : labelFor(input.text, info)
  if (label) {
    const raw = { width: label.width, height: label.height, channels: 4 as const }
    picture.composite([{ input: label.data, raw, left: label.left, top: label.top }])
  }
  return picture.jpeg({ quality: 90 }).toBuffer()
}
