import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import type { WatermarkFormat } from '../port.ts'
import { drawable, glyphAdvance, glyphHeight, hasDot } from './glyphs.ts'

/** Enough for `@` and the longest username. */
const longestText = 40
const slantDegrees = -30
/** How much of a picture's width one dot of a letter takes: a name is read on a phone, and stays small on a screen. */
const dotShare = 1 / 400
/** White beside black shows on light and on dark; alpha, of 255. */
const lightInk = [255, 255, 255, 92] as const
const darkInk = [0, 0, 0, 76] as const

/** Faster than the variants themselves are made: every viewer has a copy of their own. */
const encodings: Record<WatermarkFormat, (picture: Sharp) => Sharp> = {
  'image/avif': (picture) => picture.avif({ quality: 56, effort: 0, chromaSubsampling: '4:2:0' }),
  'image/webp': (picture) => picture.webp({ quality: 78, effort: 1 }),
}

/** See `MediaProcessor.watermark`. The text becomes dots right here: no parser, of markup or of fonts, sees it. */
export async function watermark(input: {
  picture: Buffer | Readable
  text: string
  mime: WatermarkFormat
}): Promise<Buffer> {
  const original = Buffer.isBuffer(input.picture) ? input.picture : await buffer(input.picture)
  const picture = sharp(original)
  const { format, compression, width, height } = await picture.metadata()
  const mime = format === 'heif' && compression === 'av1' ? 'image/avif' : `image/${format}`
  if (mime !== input.mime) throw new Error(`a picture that was said to be ${input.mime} is ${mime}`)
  const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { channels } = info
  blend(await drawTile(drawable(input.text, longestText), width), { data, width, height, channels })
  const marked = sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  return encodings[input.mime](marked).toBuffer()
}

type Tile = { data: Buffer; width: number; height: number }

/** Lays the tile over the whole picture. Only its few dots are touched, which is why this is faster than composing. */
function blend(tile: Tile, picture: Tile & { channels: number }): void {
  for (let dot = 0; dot < tile.data.length; dot += 4) {
    const alpha = (tile.data[dot + 3] ?? 0) / 255
    if (alpha === 0) continue
    const column = (dot / 4) % tile.width
    for (let y = Math.floor(dot / 4 / tile.width); y < picture.height; y += tile.height) {
      for (let x = column; x < picture.width; x += tile.width) {
        const pixel = (y * picture.width + x) * picture.channels
        for (let channel = 0; channel < 3; channel += 1) {
          const under = picture.data[pixel + channel] ?? 0
          picture.data[pixel + channel] = under + ((tile.data[dot + channel] ?? 0) - under) * alpha
        }
      }
    }
  }
}

/** One slanted line of text with room around it, for a picture of that width (pixels). */
async function drawTile(letters: string[], pictureWidth: number): Promise<Tile> {
  const dot = Math.max(1, Math.round(pictureWidth * dotShare))
  const columns = (letters.length + 2) * glyphAdvance
  const rows = 4 * glyphHeight
  const width = columns * dot
  const height = rows * dot
  const pixels = Buffer.alloc(width * height * 4)
  const shadow = Math.max(1, Math.round(dot / 2))
  for (const [ink, shift] of [
    [darkInk, shadow],
    [lightInk, 0],
  ] as const) {
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < glyphHeight; row += 1) {
        if (!hasDot(letters, column, row)) continue
        const left = (column + glyphAdvance) * dot + shift
        const top = (row + glyphHeight) * dot + shift
        for (let y = top; y < top + dot; y += 1) {
          for (let x = left; x < left + dot; x += 1) pixels.set(ink, (y * width + x) * 4)
        }
      }
    }
  }
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .rotate(slantDegrees, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
