import { drawable, glyphAdvance, glyphHeight, hasDot } from './glyphs.ts'

/** A line of text as RGBA pixels, and where its upper left corner lies on the picture that it was made for. */
export type Label = { data: Buffer; width: number; height: number; left: number; top: number }

/** Enough for `u/` and the longest name. */
const longestText = 40
const letterRows = 7
/** How tall letters are, of the picture's height; and how wide the line may be, of its width. */
const heightShare = 0.03
const widthShare = 0.6
/** Letters of fewer pixels can't be read, as long as there is room for them. */
const leastHeight = 14
/** In dots: half the thickness of a stroke, and of its outline around it. */
const stroke = 0.55
const outline = 1.15
const outlineAlpha = 0.8

type Point = { x: number; y: number }
type Line = [from: Point, to: Point]

/**
 * The text in white strokes with a dark outline, for the lower right corner of a picture of this size (pixels); null
 * when nothing of it can be drawn. No parser, of markup or of fonts, sees the text.
 */
export function labelFor(text: string, picture: { width: number; height: number }): Label | null {
  const letters = drawable(text, longestText)
  const columns = letters.length * glyphAdvance
  if (columns === 0) return null
  const wanted = Math.max(picture.height * heightShare, leastHeight) / letterRows
  const dot = Math.min(wanted, (picture.width * widthShare) / columns)
  const edge = Math.ceil(outline * dot) + 1
  const width = Math.min(picture.width, Math.ceil((columns - 2) * dot) + 2 * edge)
  const height = Math.min(picture.height, Math.ceil((glyphHeight - 1) * dot) + 2 * edge)
  const lines = linesOf(letters).map(([from, to]): Line => [at(from), at(to)])
  const margin = Math.round(2 * dot)
  return {
    data: paint(lines, { width, height, dot }),
    width,
    height,
    left: Math.max(0, picture.width - width - margin),
    top: Math.max(0, picture.height - height - margin),
  }

  function at({ x, y }: Point): Point {
    return { x: x * dot + edge, y: y * dot + edge }
  }
}

/** Strokes between neighboring dots; a diagonal one only where there is no way round. A dot alone is a stroke to itself. */
function linesOf(letters: string[]): Line[] {
  const lines: Line[] = []
  const has = (x: number, y: number) => y >= 0 && y < glyphHeight && hasDot(letters, x, y)
  for (let x = 0; x < letters.length * glyphAdvance; x += 1) {
    for (let y = 0; y < glyphHeight; y += 1) {
      if (!has(x, y)) continue
      const [right, below] = [has(x + 1, y), has(x, y + 1)]
      const next = [
        right && { x: x + 1, y },
        below && { x, y: y + 1 },
        has(x + 1, y + 1) && !right && !below && { x: x + 1, y: y + 1 },
        has(x - 1, y + 1) && !has(x - 1, y) && !below && { x: x - 1, y: y + 1 },
        { x, y },
      ]
      for (const to of next) if (to) lines.push([{ x, y }, to])
    }
  }
  return lines
}

function paint(
  lines: Line[],
  { width, height, dot }: { width: number; height: number; dot: number },
): Buffer {
  const reach = outline * dot + 1
  const distances = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  for (const [from, to] of lines) {
    const [left, right] = [Math.min(from.x, to.x) - reach, Math.max(from.x, to.x) + reach]
    const [top, bottom] = [Math.min(from.y, to.y) - reach, Math.max(from.y, to.y) + reach]
    for (let y = Math.max(0, Math.floor(top)); y <= Math.min(height - 1, bottom); y += 1) {
      for (let x = Math.max(0, Math.floor(left)); x <= Math.min(width - 1, right); x += 1) {
        const pixel = y * width + x
        const known = distances[pixel] ?? 0
        distances[pixel] = Math.min(known, distance({ x: x + 0.5, y: y + 0.5 }, [from, to]))
      }
    }
  }
  const data = Buffer.alloc(width * height * 4)
  for (const [pixel, away] of distances.entries()) {
    const white = covered(stroke * dot - away)
    const alpha = white + covered(outline * dot - away) * outlineAlpha * (1 - white)
    if (alpha === 0) continue
    data.fill(Math.round((255 * white) / alpha), 4 * pixel, 4 * pixel + 3)
    data[4 * pixel + 3] = Math.round(255 * alpha)
  }
  return data
}

/** How much of a pixel lies within an edge that is so many pixels away from its middle. */
const covered = (inside: number) => Math.min(1, Math.max(0, inside + 0.5))

function distance(point: Point, [from, to]: Line): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy)
}
