import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Variant } from '../port.ts'
import { encodersAtOnce, maxAvifPixels } from './limits.ts'

/** Pixels in sRGB, 8 bits a channel, the right way up, with nothing else left of the file they came from. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 }

export type PictureFormat = 'avif' | 'webp'

/**
 * Beside WebP at 78, AVIF at 56 saves a fifth to a quarter of the bytes of photographs of the same likeness. Each
 * effort above 2 costs half as much time again and saves 4%; above 3 ten times as much.
 */
const encodings: Record<PictureFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 56, effort: 2, chromaSubsampling: '4:2:0' }),
  webp: (picture) => picture.webp({ quality: 78, effort: 4 }),
}

/**
 * Writes the picture in each of `widths` (pixels, ascending, none above its own) and `formats` into `outDir`, as
 * `<prefix>w<width>.<format>`; answers them in that order. The smaller are made of the next larger. Of a very tall
 * picture no AVIF is made.
 */
export async function writePictures(
  pixels: Pixels,
  input: {
    widths: number[]
    formats: readonly PictureFormat[]
    prefix: string
    outDir: string
    onWritten?: (share: number) => void
  },
): Promise<Variant[]> {
  const { outDir, prefix } = input
  const sizes: Pixels[] = []
  for (const width of input.widths.toReversed()) sizes.push(await resize(sizes.at(-1) ?? pixels, width))
  const [largest = pixels] = sizes
  const fitting = largest.width * largest.height <= maxAvifPixels
  const formats = input.formats.filter((format) => fitting || format !== 'avif')
  let written = 0
  const wanted = sizes.flatMap((size) => formats.map((format) => ({ size, format })))
  const variants = await pLimit(encodersAtOnce).map(wanted, async ({ size, format }) => {
    const name = `${prefix}w${size.width}.${format}`
    const path = join(outDir, name)
    const data = await encode(size, format)
    await writeFile(path, data)
    written += 1
    input.onWritten?.(written / wanted.length)
    const { width, height } = size
    return { name, path, mime: `image/${format}`, width, height, bytes: data.length }
  })
  const place = ({ name }: Variant) => input.formats.findIndex((format) => name.endsWith(format))
  return variants.toSorted((a, b) => a.width - b.width || place(a) - place(b))
}

/** The bytes of a picture, without metadata. */
export function encode(pixels: Pixels, format: PictureFormat): Promise<Buffer> {
  return encodings[format](raw(pixels)).toBuffer()
}

/** The pixels of one picture, as sharp takes them. */
export function raw(pixels: Pixels): Sharp {
  const { width, height, channels } = pixels
  return sharp(pixels.data, { raw: { width, height, channels }, limitInputPixels: false })
}

async function resize(pixels: Pixels, width: number): Promise<Pixels> {
  if (width === pixels.width) return pixels
  const { data, info } = await raw(pixels).resize({ width }).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: pixels.channels }
}

/** Base64 of the thumbhash, made of at most 100 pixels a side. */
export async function thumbhashOf(pixels: Pixels): Promise<string> {
  const { data, info } = await raw(pixels)
    .resize({ width: 100, height: 100, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
