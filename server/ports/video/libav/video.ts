import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Processed, Variant } from '../port.ts'
import { finishStream, streamedFromSeconds } from './hls.ts'
import type { Demuxer } from './kinds.ts'
import { maxAnimationSeconds, maxVideoSeconds, minIntactShare } from './limits.ts'
import { pictureOf } from './picture.ts'
import { makePoster } from './poster.ts'
import { qualitiesOf } from './quality.ts'
import { Refused } from './refused.ts'
import { isFileFault, openSource } from './source.ts'
import { transcode } from './transcode.ts'

type Input = {
  path: string
  demuxer: Demuxer
  /** A picture that moves, whose transparent parts are shown on white. */
  animated: boolean
  /** Whether the end of the file is missing. */
  cut: boolean
  outDir: string
  maxPixels: number
  onLength: (seconds: number) => void
  onProgress: (percent: number) => void
}

/** Makes the streamable MP4, the posters, and the qualities of a longer one, of a video or of an animated picture. */
export async function makeVideo(input: Input): Promise<Processed> {
  const { outDir } = input
  const target = join(outDir, 'video.mp4')
  const { picture, qualities, streamed, damaged } = await makeFiles(input, target)
  const { seconds, variants, thumbhash } = await makePoster({ video: target, outDir })
  const stream = streamed ? await finishStream(qualities, outDir) : []
  const kept = seconds > streamedFromSeconds ? stream : await discard(stream)
  const { width, height } = picture
  const { size } = await stat(target)
  return {
    type: 'video',
    width,
    height,
    durationSeconds: Math.max(1, Math.ceil(Math.round(seconds * 1000) / 1000)),
    damaged,
    thumbhash,
    variants: [
      { name: 'video.mp4', path: target, mime: 'video/mp4', width, height, bytes: size },
      ...variants,
      ...kept,
    ],
  }
}

/** Encodes the whole video, or, when it breaks off at a damaged frame, once more without those. */
async function makeFiles(input: Input, target: string) {
  try {
    return await encode(input, target, true)
  } catch (error) {
    if (input.animated || !isFileFault(error)) throw error
    return encode(input, target, false)
  }
}

async function encode(input: Input, target: string, strict: boolean) {
  const { outDir, animated, maxPixels } = input
  const source = await openSource(input.path, input.demuxer)
  await using demuxer = source.demuxer
  const picture = pictureOf(source.video, maxPixels)
  const qualities = qualitiesOf(picture)
  const expected = demuxer.duration
  const maxSeconds = animated ? maxAnimationSeconds : maxVideoSeconds
  input.onLength(Math.min(Math.max(0, expected), maxSeconds))
  // A file that does not tell its length may be a long one.
  const streamed = !animated && !(expected > 0 && expected <= streamedFromSeconds)
  const { frames, decoded, shown, read } = await transcode({
    source,
    picture,
    qualities,
    transparent: animated,
    target,
    stream: streamed ? { outDir } : null,
    maxPixels,
    maxSeconds,
    strict,
    onTime: (seconds) => {
      if (expected > 0) input.onProgress(Math.min(90, Math.round((90 * seconds) / expected)))
    },
  })
  const missing = input.cut ? Math.max(0, Number(source.video.nbFrames) - read) : 0
  const damaged = !strict || missing > 0
  if (frames === 0 || (damaged && decoded < minIntactShare * (shown + missing)))
    throw new Refused('media_unreadable')
  return { picture, qualities, streamed, damaged }
}

async function discard(variants: Variant[]): Promise<[]> {
  for (const { path } of variants) await rm(path)
  return []
}
