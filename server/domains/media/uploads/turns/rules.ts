/** How often preparing an upload may fail before it is refused. */
export const MAX_ATTEMPTS = 6
const FIRST_PAUSE_SECONDS = 10
const LONGEST_PAUSE_SECONDS = 600

/** How long to wait after so many failed attempts, in seconds. */
export function pauseSeconds(attempts: number): number {
  return Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.max(0, attempts - 1))
}

const HOUR_SECONDS = 3600

/**
 * How long to wait for a disk or a store that failed, in seconds, once an upload has waited so long: what fills a disk by
 * itself would otherwise be prepared all day.
 */
export function storagePauseSeconds(waited: number): number {
  if (waited < HOUR_SECONDS) return 600
  return waited < 24 * HOUR_SECONDS ? HOUR_SECONDS : 6 * HOUR_SECONDS
}

/** The queue that an upload waits in. Each has workers of its own, so that none waits for another. */
export const LINES = ['picture', 'short_video', 'long_video'] as const
export type Line = (typeof LINES)[number]

/** From this size or length on, a video takes so long to prepare that short ones must not wait for it. */
const LONG_VIDEO_BYTES = 200_000_000
const LONG_VIDEO_SECONDS = 600

/** The line of an upload, by whether it moves, how large it is, and how long as far as that is known, in seconds. */
export function lineOf(
  { bytes, reserved_bytes }: { bytes: number | null; reserved_bytes: number | null },
  moving: boolean,
  seconds = 0,
): Line {
  if (!moving) return 'picture'
  const isLong = (bytes ?? reserved_bytes ?? 0) >= LONG_VIDEO_BYTES || seconds >= LONG_VIDEO_SECONDS
  return isLong ? 'long_video' : 'short_video'
}

/** The line of one that is opened: a video that was found to be long is not looked at again. */
export function lineOfOpened(upload: Parameters<typeof lineOf>[0] & { line: Line }, moving: boolean): Line {
  return moving && upload.line === 'long_video' ? 'long_video' : lineOf(upload, moving)
}

/** Whether the name is that of a file that takes long to prepare: a guess until its bytes are looked at. */
export function seemsMoving(fileName: string): boolean {
  return /\.(mp4|m4v|mov|3gp|gif)$/i.test(fileName)
}

/**
 * The turns of a person's next uploads, each later than the one before, so that people take turns however many files
 * each of them sends. `own` is the last turn that this person has waiting, `first` the first of anybody: a new upload
 * doesn't wait behind all files of another person.
 */
export function turnsFrom(waiting: { own: number | null; first: number | null }, count: number): number[] {
  const next = waiting.own === null ? (waiting.first ?? 0) : waiting.own + 1
  return Array.from({ length: count }, (_, index) => next + index)
}

/** Seconds that a file takes, while too few have been prepared to know: a picture, and each megabyte of a video. */
export const USUAL_SECONDS = { picture: 4, videoMegabyte: 2 } as const
