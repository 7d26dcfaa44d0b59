/** How the pixels of a video must be turned to stand upright. */
export type Turn = {
  /** FFmpeg filters in order, for example `transpose=clock`. */
  filters: string[]
  /** True when width and height change places. */
  swapsSides: boolean
}

const upright: Turn = { filters: [], swapsSides: false }

/**
 * Reads a display matrix (nine little-endian 32-bit fixed-point numbers, ISO/IEC 14496-12, 8.3.2; null when the
 * track has none) as a quarter turn and a mirroring. Turns that are no multiple of 90 degrees are left out.
 */
export function turnOf(matrix: Buffer | null): Turn {
  if (!matrix || matrix.length < 36) return upright
  const cells = [0, 4, 12, 16].map((offset) => matrix.readInt32LE(offset))
  const unit = Math.max(...cells.map(Math.abs))
  switch (cells.map((cell) => Math.round(cell / unit)).join(',')) {
    case '0,1,-1,0':
      return { filters: ['transpose=clock'], swapsSides: true }
    case '0,-1,1,0':
      return { filters: ['transpose=cclock'], swapsSides: true }
    case '0,1,1,0':
      return { filters: ['transpose=cclock_flip'], swapsSides: true }
    case '0,-1,-1,0':
      return { filters: ['transpose=clock_flip'], swapsSides: true }
    case '-1,0,0,-1':
      return { filters: ['hflip', 'vflip'], swapsSides: false }
    case '-1,0,0,1':
      return { filters: ['hflip'], swapsSides: false }
    case '1,0,0,-1':
      return { filters: ['vflip'], swapsSides: false }
    default:
      return upright
  }
}
