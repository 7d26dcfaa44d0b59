import { availableParallelism } from 'node:os'

/** Limits for one file. */
export type Limits = {
  /** Width times height, of a picture or a video frame. */
  maxPixels: number
  /** From start to end of one file, in milliseconds; a video gets more by its length. */
  timeoutMs: number
  /** More of it for each second that a video lasts by what it says and by its bytes, in milliseconds. */
  timeoutMsPerSecond: number
  /** Resident memory of the child process, in MiB. */
  memoryMb: number
}

/** A picture is prepared within seconds: one that takes this long was made to keep a worker busy. */
export const pictureTimeoutMs = 2 * 60 * 1000

/** For a crop, which a person waits for. */
export const cropTimeoutMs = 20_000

/** Crops and posters that may wait for their turn; a crop that comes later is refused. */
export const maxWaitingCrops = 20

/** The product's limits for one file. */
export const defaultLimits: Limits = {
  maxPixels: 50_000_000,
  timeoutMs: 15 * 60 * 1000,
  // 1080p takes less than twice its length on two quiet cores; a busy machine is several times slower.
  timeoutMsPerSecond: 10_000,
  memoryMb: 1024,
}

/** A slide show with sound has about as many bytes for each second; what has fewer takes a fraction of the time to prepare. */
const leastBytesPerSecond = 25_000

/** How long a file of these bytes may take that says it lasts so many seconds (0 for a picture), in milliseconds. */
export function timeLimit(
  limits: Pick<Limits, 'timeoutMs' | 'timeoutMsPerSecond'>,
  { seconds, bytes }: { seconds: number; bytes: number },
): number {
  return limits.timeoutMs + Math.min(seconds, bytes / leastBytesPerSecond) * limits.timeoutMsPerSecond
}

/** A strip thinner than this on either side is a separator or a tracking dot, nothing to look at or to sell. */
export const minSide = 32

/** The longest side of every video that is made, in pixels. */
export const maxVideoSide = 1920

/** WebP stores at most 14 bits for each side. */
export const maxWebpSide = 16383

/** The longest video, and the longest animation, in seconds: what is said to last longer fills time with one frame. */
export const maxVideoSeconds = 6 * 3600
export const maxAnimationSeconds = 300

/** Copies that fill the time until the next frame: so many of each on average, or so many of all, whichever are more. */
export const maxCopiesOfFrame = 10
export const maxCopies = 15 * 60 * 60

/** Pixels of all frames of an animated picture together. */
export const maxAnimationPixels = 5_000_000_000

/** The largest variant of a picture: only very tall ones are narrowed by it, which else took half a gigabyte. */
export const maxVariantPixels = 12_000_000

/** Segments of a JPEG before or between its scans. A camera writes some dozens, each of up to 64 kB. */
export const maxSegments = 1000

/** A larger variant takes too much memory and time to become AVIF. */
export const maxAvifPixels = 8_000_000

/** Rows or frames of a damaged file that must be there, as a share. */
export const minIntactShare = 0.95

/** Pictures that are encoded at the same time, and threads of each: more would only hold more of them in memory. */
export const encodersAtOnce = Math.min(2, availableParallelism())
