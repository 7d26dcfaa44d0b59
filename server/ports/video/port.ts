import type { Readable } from 'node:stream'

/** The files that a child process makes of an upload. Paths are local; times are seconds; sizes are pixels. */
export type Variant = {
  name: string
  path: string
  mime: string
  width: number
  height: number
  bytes: number
}

export type Processed = {
  type: 'image' | 'video'
  width: number
  height: number
  /** Whole seconds, rounded up, of a video; null for an image. */
  durationSeconds: number | null
  /** Whether parts of the file were broken and left out; at least 95% of its rows or frames are there. */
  damaged: boolean
  /** Base64 of a thumbhash (about 25 bytes): a color blur that reveals nothing. */
  thumbhash: string
  /**
   * Images: `w320.avif`, `w320.webp` … of the widths that fit, AVIF before the WebP of the same width. Videos:
   * `video.mp4` first, which plays everywhere; `poster-w640.avif`, `poster-w640.webp` …; and of one longer than 30
   * seconds the HLS master playlist `hls.m3u8`, then `hls-360.m3u8` with its segments `hls-360.mp4` … for each
   * quality, called by its shorter side. What belongs to HLS begins with `hls`; playlists name their neighbors only.
   */
  variants: Variant[]
}

/** `poster-<8 hex digits>-w640.avif`, `poster-<8 hex digits>-w640.webp` …, with the thumbhash of the same frame. */
export type Poster = { variants: Variant[]; thumbhash: string }

/** The sentence-worthy reasons for which a file is refused. */
export type MediaRefusal =
  | 'media_empty'
  | 'media_type_unsupported'
  | 'media_unreadable'
  | 'media_too_many_pixels'
  | 'media_too_large'
  | 'media_too_long_to_process'
  | 'media_no_picture'

/** Work that was under way or waited when the processor was closed: no fault of the file, and to be done after the next start. */
export class ProcessingStopped extends Error {
  constructor() {
    super('media processing was stopped')
  }
}

/** The disk or the store was full, or couldn't be used: no fault of the file, and to be done once it can. */
export class StorageFailed extends Error {}

/** So many crops wait that one more would take too long. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many pictures wait to be cropped')
  }
}

export type WatermarkFormat = 'image/avif' | 'image/webp'

export type MediaProcessor = {
  /** Whether the file is a video or an animation, which takes long, rather than a picture, as far as its first bytes tell. */
  isMoving(path: string): Promise<boolean>
  /**
   * Validates the file by its bytes and makes every variant in `outDir` (which exists and is empty). Never throws for
   * a bad file. `onLength` gets the length in seconds that a video states, before its frames are read; `signal` ends
   * the work, which then rejects with `ProcessingStopped`. Rejects with `StorageFailed` when the disk is full.
   */
  process(input: {
    path: string
    outDir: string
    onProgress: (percent: number) => void
    onLength?: (seconds: number) => void
    signal?: AbortSignal
  }): Promise<{ ok: true; media: Processed } | { ok: false; refusal: MediaRefusal }>
  /**
   * Validates a still picture by its bytes and writes its middle, filling exactly `width` by `height` pixels, as WebP to
   * `outDir/name`. Doesn't wait for the videos that are at work. Never throws for a bad file; rejects with
   * `TooManyWaiting` when too many already wait.
   */
  crop(input: {
    path: string
    outDir: string
    name: string
    width: number
    height: number
  }): Promise<{ ok: true; path: string } | { ok: false; refusal: MediaRefusal }>
  /**
   * Makes poster pictures in `outDir` (which exists and is empty) of what `path`, a `video.mp4` made by `process`,
   * shows at `seconds` (clamped to its length). Each call has names of its own, so that a swapped poster never shares
   * an address with the old one. Doesn't wait for the videos that are at work.
   */
  poster(input: {
    path: string
    seconds: number
    outDir: string
  }): Promise<({ ok: true } & Poster) | { ok: false; refusal: MediaRefusal }>
  /**
   * Draws `text` (a username, say) once, small and faintly, into the lower right corner of a picture made by `process`,
   * and answers it in the same format and size. Characters other than letters, digits and `@ / _ . -` are left out; nothing in the text
   * is ever parsed. For our own pictures only: they are decoded inside the server. Rejects what is no such picture.
   */
  watermark(input: { picture: Buffer | Readable; text: string; mime: WatermarkFormat }): Promise<Buffer>
  /**
   * Makes a JPEG of at most 4096 pixels a side, on white and without metadata, of a picture made by `process`; with
   * `text` in the lower right corner, white with a dark outline, about 3% of the height, in the characters that
   * `watermark` draws. For our own pictures only. Rejects what is no picture.
   */
  copyPicture(input: { picture: Buffer | Readable; text: string | null }): Promise<Buffer>
  /**
   * Writes `path`, a `video.mp4` made by `process`, with `text` drawn into every frame in the same way, as MP4 to
   * `outDir/name`. Has a line of its own, of one at a time. Never throws for a bad file.
   */
  copyVideo(input: {
    path: string
    outDir: string
    name: string
    text: string
  }): Promise<{ ok: true; path: string } | { ok: false; refusal: MediaRefusal }>
  /** Ends what is at work; that, and what waits, rejects with `ProcessingStopped`. */
  close(): Promise<void>
}
