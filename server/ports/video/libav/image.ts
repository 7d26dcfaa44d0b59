import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Processed, Variant } from '../port.ts'
import { maxWebpSide } from './limits.ts'
import { Refused } from './refused.ts'
import { widthsWithin } from './widths.ts'

/** Pixels in sRGB, 8 bits a channel, the right way up, with nothing else left of the file they came from. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 }

const widths = [320, 640, 1080, 1920] as const
const quality = 78

/** Decodes a picture once and makes every variant of it. Refuses what does not decode without a warning. */
export async function makeImage(input: {
  path: string
  outDir: string
  maxPixels: number
  onProgress: (percent: number) => void
}): Promise<Processed> {
  const { autoOrient } = await sharp(input.path, { limitInputPixels: input.maxPixels }).metadata()
  const largest = Math.min(
    autoOrient.width,
    Math.floor((autoOrient.width * maxWebpSide) / autoOrient.height) || 1,
  )
  const steps = widthsWithin(widths, largest)
  const pixels = await decode(input.path, input.maxPixels, Math.max(...steps))
  input.onProgress(40)
  const variants: Variant[] = []
  for (const width of steps) {
    variants.push(await writeWebp(pixels, { width, name: `w${width}.webp`, outDir: input.outDir }))
    input.onProgress(40 + Math.round((55 * variants.length) / steps.length))
  }
  return {
    type: 'image',
    width: autoOrient.width,
    height: autoOrient.height,
    durationSeconds: null,
    thumbhash: await thumbhashOf(pixels),
    variants,
  }
}

/** Writes the middle of a picture, filling exactly `width` by `height` pixels, as WebP to `outDir/name`. */
export async function cropTo(input: {
  path: string
  outDir: string
  maxPixels: number
  name: string
  width: number
  height: number
}): Promise<void> {
  const { width, height } = input
  const { autoOrient } = await sharp(input.path, { limitInputPixels: input.maxPixels }).metadata()
  // Wide enough that the shorter side still fills the box.
  const needed = Math.max(width, Math.ceil((height * autoOrient.width) / autoOrient.height))
  const pixels = await decode(input.path, input.maxPixels, Math.min(needed, maxWebpSide))
  const data = await raw(pixels)
    .resize({ width, height, fit: 'cover' })
    .webp({ quality, effort: 4 })
    .toBuffer()
  await writeFile(join(input.outDir, input.name), data)
}

async function decode(path: string, maxPixels: number, width: number): Promise<Pixels> {
  try {
    const { data, info } = await sharp(path, {
      limitInputPixels: maxPixels,
      failOn: 'warning',
      autoOrient: true,
    })
      .resize({ width, withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}

/** Writes one WebP of the given width (pixels) into `outDir`. */
export async function writeWebp(
  pixels: Pixels,
  variant: { width: number; name: string; outDir: string },
): Promise<Variant> {
  const { data, info } = await raw(pixels)
    .resize({ width: variant.width })
    .webp({ quality, effort: 4 })
    .toBuffer({ resolveWithObject: true })
  const path = join(variant.outDir, variant.name)
  await writeFile(path, data)
  return {
    name: variant.name,
    path,
    mime: 'image/webp',
    width: info.width,
    height: info.height,
    bytes: info.size,
  }
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

function raw(pixels: Pixels): Sharp {
  return sharp(pixels.data, {
    raw: { width: pixels.width, height: pixels.height, channels: pixels.channels },
    limitInputPixels: false,
  })
}
