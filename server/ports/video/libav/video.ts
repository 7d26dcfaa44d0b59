import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Processed } from '../port.ts'
import { pictureOf } from './picture.ts'
import { makePoster } from './poster.ts'
import { Refused } from './refused.ts'
import { openSource } from './source.ts'
import { transcode } from './transcode.ts'

/** Makes the streamable MP4 and the posters of a video or of an animated picture. */
export async function makeVideo(input: {
  path: string
  demuxer: 'apng' | 'mov' | 'webp_anim'
  outDir: string
  maxPixels: number
  onProgress: (percent: number) => void
}): Promise<Processed> {
  const target = join(input.outDir, 'video.mp4')
  const source = await openSource(input.path, input.demuxer)
  await using demuxer = source.demuxer
  const picture = pictureOf(source.video, input.maxPixels)
  const expected = demuxer.duration
  const { frames } = await transcode({
    source,
    picture,
    transparent: input.demuxer !== 'mov',
    target,
    maxPixels: input.maxPixels,
    onTime: (seconds) => {
      if (expected > 0) input.onProgress(Math.min(90, Math.round((90 * seconds) / expected)))
    },
  })
  if (frames === 0) throw new Refused('media_unreadable')
  const poster = await makePoster({ video: target, outDir: input.outDir })
  const { width, height } = picture
  const { size } = await stat(target)
  return {
    type: 'video',
    width,
    height,
    durationSeconds: Math.max(1, Math.ceil(Math.round(poster.seconds * 1000) / 1000)),
    thumbhash: poster.thumbhash,
    variants: [
      { name: 'video.mp4', path: target, mime: 'video/mp4', width, height, bytes: size },
      ...poster.variants,
    ],
  }
}
