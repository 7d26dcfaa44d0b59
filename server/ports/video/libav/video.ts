import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Processed, Variant } from '../port.ts'
import { finishStream, streamedFromSeconds } from './hls.ts'
import { maxAnimationSeconds, maxVideoSeconds } from './limits.ts'
import { pictureOf } from './picture.ts'
import { makePoster } from './poster.ts'
import { qualitiesOf } from './quality.ts'
import { Refused } from './refused.ts'
import { openSource } from './source.ts'
import { transcode } from './transcode.ts'

/** Makes the streamable MP4, the posters, and the qualities of a longer one, of a video or of an animated picture. */
export async function makeVideo(input: {
  path: string
  demuxer: 'apng' | 'mov' | 'webp_anim'
  outDir: string
  maxPixels: number
  onProgress: (percent: number) => void
}): Promise<Processed> {
  const { outDir } = input
  const target = join(outDir, 'video.mp4')
  const source = await openSource(input.path, input.demuxer)
  await using demuxer = source.demuxer
  const picture = pictureOf(source.video, input.maxPixels)
  const qualities = qualitiesOf(picture)
  const expected = demuxer.duration
  // A file that does not tell its length may be a long one.
  const streamed = input.demuxer === 'mov' && !(expected > 0 && expected <= streamedFromSeconds)
  const { frames } = await transcode({
    source,
    picture,
    qualities,
    transparent: input.demuxer !== 'mov',
    target,
    stream: streamed ? { outDir } : null,
    maxPixels: input.maxPixels,
    maxSeconds: input.demuxer === 'mov' ? maxVideoSeconds : maxAnimationSeconds,
    onTime: (seconds) => {
      if (expected > 0) input.onProgress(Math.min(90, Math.round((90 * seconds) / expected)))
    },
  })
  if (frames === 0) throw new Refused('media_unreadable')
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
    thumbhash,
    variants: [
      { name: 'video.mp4', path: target, mime: 'video/mp4', width, height, bytes: size },
      ...variants,
      ...kept,
    ],
  }
}

async function discard(variants: Variant[]): Promise<[]> {
  for (const { path } of variants) await rm(path)
  return []
}
