/** What a child process makes of an uploaded file. Paths are local; times are seconds; sizes are pixels. */
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
  /** Base64 of a thumbhash (about 25 bytes): a colour blur that reveals nothing. */
  thumbhash: string
  /** Images: `w320.webp` … of the widths that fit. Videos: `video.mp4`, `poster-w640.webp` …. */
  variants: Variant[]
}

/** The sentence-worthy reasons for which a file is refused. */
export type MediaRefusal =
  | 'media_empty'
  | 'media_type_unsupported'
  | 'media_unreadable'
  | 'media_too_many_pixels'
  | 'media_too_large'
  | 'media_too_long_to_process'
  | 'media_no_picture'

export type MediaProcessor = {
  /** Judges the file by its bytes and makes every variant in `outDir` (which exists and is empty). Never throws for a bad file. */
  process(input: {
    path: string
    outDir: string
    onProgress: (percent: number) => void
  }): Promise<{ ok: true; media: Processed } | { ok: false; refusal: MediaRefusal }>
  /**
   * Judges a still picture by its bytes and writes its middle, filling exactly `width` by `height` pixels, as WebP to
   * `outDir/name`. Doesn't wait for the videos that are at work. Never throws for a bad file.
   */
  crop(input: {
    path: string
    outDir: string
    name: string
    width: number
    height: number
  }): Promise<{ ok: true; path: string } | { ok: false; refusal: MediaRefusal }>
  close(): Promise<void>
}
