import sharp from 'sharp'
import { pngHeader } from '../server/ports/video/libav/testing/pictures.ts'

/** A file as a person has it on their disk. */
export type MediaFile = { name: string; mimeType: string; buffer: Buffer }

/** A picture of soft stripes, small enough to be kept in one size; another `seed` is another picture. */
export async function picture(seed: number, width = 300, height = 400): Promise<MediaFile> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const x = (at / 3) % width
    const y = Math.floor(at / 3 / width)
    pixels[at] = (x * seed + y) % 256
    pixels[at + 1] = (x + y * 2) % 256
    pixels[at + 2] = (seed * 40 + y) % 256
  }
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer()
  return { name: `picture-${seed}.jpg`, mimeType: 'image/jpeg', buffer }
}

/** A moving picture, which the product turns into a short silent video. */
export async function movingPicture(): Promise<MediaFile> {
  const [width, height, frames] = [320, 240, 6]
  const pixels = Buffer.alloc(width * height * frames * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const frame = Math.floor(at / 3 / (width * height))
    pixels[at] = (at / 3 + frame * 40) % 256
    pixels[at + 1] = (frame * 40) % 256
    pixels[at + 2] = 120
  }
  const buffer = await sharp(pixels, {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
  })
    .webp({ delay: Array.from({ length: frames }, () => 200), loop: 0 })
    .toBuffer()
  return { name: 'moving.webp', mimeType: 'image/webp', buffer }
}

/** Files that must be refused, each for another reason; the browser itself sees that the first one is empty. */
export function refusedFiles(): MediaFile[] {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  return [
    { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
    { name: 'page.jpg', mimeType: 'image/jpeg', buffer: page },
    { name: 'cut-off.png', mimeType: 'image/png', buffer: pngHeader(600, 450) },
    { name: 'huge.png', mimeType: 'image/png', buffer: pngHeader(20_000, 20_000) },
  ]
}
