import type { Picture } from './picture.ts'

/** One size in which a video is streamed. */
export type Quality = {
  /** The shorter side in pixels, by which people call it: 720. */
  lines: number
  width: number
  height: number
  /** The most that the encoder may spend, in bits a second. */
  maxRate: number
}

/** Shorter sides and what they may cost; from the first on the picture needs no more. */
const ladder = [
  { lines: 1080, maxRate: 6_000_000 },
  { lines: 720, maxRate: 3_000_000 },
  { lines: 360, maxRate: 900_000 },
] as const

/** A step so near to the picture's own size saves too little to be a choice. */
const nearest = 0.85

/** The picture's own size first, then each smaller one that is worth having; all have even sides. */
export function qualitiesOf(picture: Pick<Picture, 'width' | 'height'>): [Quality, ...Quality[]] {
  const { width, height } = picture
  const lines = Math.min(width, height)
  const smaller = ladder.filter((step) => step.lines <= lines * nearest)
  return [
    { lines, width, height, maxRate: ladder[0].maxRate },
    ...smaller.map((step) => ({ ...step, ...shrink(picture, step.lines / lines) })),
  ]
}

function shrink({ width, height }: Pick<Picture, 'width' | 'height'>, factor: number) {
  const even = (side: number) => Math.max(2, Math.round((side * factor) / 2) * 2)
  return { width: even(width), height: even(height) }
}
