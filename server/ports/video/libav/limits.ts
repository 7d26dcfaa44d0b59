/** What one file may cost. */
export type Limits = {
  /** Width times height, of a picture or a video frame. */
  maxPixels: number
  /** From start to end of one file, in milliseconds. */
  timeoutMs: number
  /** Resident memory of the child process, in MiB. */
  memoryMb: number
}

/** A strip thinner than this on either side is a separator or a tracking dot, nothing to look at or to sell. */
export const minSide = 32

/** The longest side of every video that is made, in pixels. */
export const maxVideoSide = 1920

/** WebP stores at most 14 bits for each side. */
export const maxWebpSide = 16383
