import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Processed } from '../port.ts'
import { inStandardColours, pngColours } from './colours.ts'
import { encode, type PictureFormat, type Pixels, raw, thumbhashOf, writePictures } from './encode.ts'
import { maxVariantPixels, maxWebpSide, minSide } from './limits.ts'
import { Refused } from './refused.ts'
import { widthsWithin } from './widths.ts'

const widths = [320, 640, 1080, 1920] as const
/** Width by height. Panoramas beyond it would be narrow bands at these widths. */
const widest = 2

/**
 * Decodes a picture once and makes every variant of it, in each of `formats` (WebP alone unless others are asked
 * for). Refuses what does not decode without a warning.
 */
export async function makeImage(input: {
  path: string
  outDir: string
  maxPixels: number
  formats?: readonly PictureFormat[]
  onProgress: (percent: number) => void
}): Promise<Processed> {
  const { autoOrient } = await sharp(input.path, { limitInputPixels: input.maxPixels }).metadata()
  const steps = stepsOf(autoOrient)
  const pixels = await decode(input.path, input.maxPixels, Math.max(...steps))
  input.onProgress(20)
  const variants = await writePictures(pixels, {
    widths: steps,
    formats: input.formats ?? ['webp'],
    prefix: '',
    outDir: input.outDir,
    onWritten: (share) => input.onProgress(20 + Math.round(75 * share)),
  })
  return {
    type: 'image',
    width: autoOrient.width,
    height: autoOrient.height,
    durationSeconds: null,
    damaged: false,
    thumbhash: await thumbhashOf(pixels),
    variants,
  }
}

/**
 * The widths to make of a picture. One wider than `widest` gets as many pixels as if it were that wide a shape. Refuses
 * a strip that would be too thin to show.
 */
function stepsOf({ width, height }: { width: number; height: number }): number[] {
  const shape = width / height
  const largest = Math.floor(
    Math.min(width, maxWebpSide, maxWebpSide * shape, Math.sqrt(maxVariantPixels * shape)),
  )
  const isVisible = (side: number) => Math.min(side, Math.round(side / shape)) >= minSide
  if (!isVisible(largest)) throw new Refused('media_no_picture')
  const stretch = Math.sqrt(Math.max(1, shape / widest))
  return widthsWithin(
    widths.map((step) => Math.round(step * stretch)),
    largest,
  ).filter(isVisible)
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
  const data = await raw(pixels).resize({ width, height, fit: 'cover' }).raw().toBuffer()
  const filled = { data, width, height, channels: pixels.channels }
  await writeFile(join(input.outDir, input.name), await encode(filled, 'webp'))
}

async function decode(path: string, maxPixels: number, width: number): Promise<Pixels> {
  try {
    const picture = sharp(path, { limitInputPixels: maxPixels, failOn: 'warning', autoOrient: true }).resize({
      width,
      withoutEnlargement: true,
    })
    const meaning = await pngColours(path)
    if (meaning) return await inStandardColours(picture, meaning)
    const { data, info } = await picture
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}
