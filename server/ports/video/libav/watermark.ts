import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import type { WatermarkFormat } from '../port.ts'
import { drawable, glyphAdvance, glyphHeight, hasDot } from './glyphs.ts'

/** Enough for `@` and the longest username. */
const longestText = 40
/** How much of a picture's width one dot of a letter takes: a name is read on a phone, and stays small on a screen. */
const dotShare = 1 / 480
/** White beside black shows on light and on dark; alpha, of 255. */
const lightInk = [255, 84] as const
const darkInk = [0, 60] as const

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
  drawName(drawable(input.text, longestText), { data, width, height, channels })
  const marked = sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  return encodings[input.mime](marked).toBuffer()
}

type Pixels = { data: Buffer; width: number; height: number; channels: number }

/** Writes one line of letters into the lower right corner, as much of it as there is room for. */
function drawName(letters: string[], picture: Pixels): void {
  const dot = Math.max(1, Math.round(picture.width * dotShare))
  const columns = letters.length * glyphAdvance
  const left = Math.max(0, picture.width - (columns + glyphAdvance) * dot)
  const top = Math.max(0, picture.height - 2 * glyphHeight * dot)
  const shadow = Math.max(1, Math.round(dot / 2))
  for (const [ink, shift] of [
    [darkInk, shadow],
    [lightInk, 0],
  ] as const) {
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < glyphHeight; row += 1) {
        if (hasDot(letters, column, row))
          drawDot(
            picture,
            { left: left + column * dot + shift, top: top + row * dot + shift, size: dot },
            ink,
          )
      }
    }
  }
}

function drawDot(
  picture: Pixels,
  { left, top, size }: { left: number; top: number; size: number },
  [gray, alpha]: readonly [gray: number, alpha: number],
): void {
  for (let y = top; y < Math.min(top + size, picture.height); y += 1) {
    for (let x = left; x < Math.min(left + size, picture.width); x += 1) {
      const pixel = (y * picture.width + x) * picture.channels
      for (let channel = 0; channel < 3; channel += 1) {
        const under = picture.data[pixel + channel] ?? 0
        picture.data[pixel + channel] = under + ((gray - under) * alpha) / 255
      }
    }
  }
}
