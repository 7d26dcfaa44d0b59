import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { AVSEEK_FLAG_BACKWARD, Decoder, FilterAPI, type Frame } from 'node-av'
import type { Poster } from '../port.ts'
import { checkBoxes } from './boxes.ts'
import { type Pixels, thumbhashOf, writePictures } from './encode.ts'
import { checkDimensions } from './inspect.ts'
import { Refused } from './refused.ts'
import { openDecoder, openSource } from './source.ts'
import { widthsWithin } from './widths.ts'

const widths = [640, 1280] as const
const formats = ['avif', 'webp'] as const

/** Four frames a second of the first ten seconds, of which the one nearest to their average is taken. */
const typical = 'select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,0.25),format=rgb24,thumbnail=40'

/** The sound's encoder rounds up to whole frames, in seconds; nobody can hear that. */
const soundPadding = 0.05

/**
 * Makes the posters and the blur of a finished `video.mp4` of ours. `seconds` is the length of the longer of its
 * tracks. Throws a plain error when the file can't be read back: then writing it failed, and the upload isn't at
 * fault.
 */
export async function makePoster(input: {
  video: string
  outDir: string
}): Promise<Poster & { seconds: number }> {
  try {
    checkBoxes(input.video, (await stat(input.video)).size)
    return await readPoster(input)
  } catch (error) {
    throw new Error('the finished video could not be read back', { cause: error })
  }
}

async function readPoster(input: { video: string; outDir: string }): Promise<Poster & { seconds: number }> {
  const { demuxer, video } = await openSource(input.video, 'mov')
  await using _demuxer = demuxer
  using decoder = await Decoder.create(video)
  using graph = FilterAPI.create(typical)
  const lengths = demuxer.streams.map((stream) => {
    const { duration, timeBase } = stream
    const seconds = (Number(duration) * timeBase.num) / timeBase.den
    return stream === video ? seconds : seconds - soundPadding
  })
  const seconds = Math.max(...lengths)
  for await (const frame of graph.frames(decoder.frames(demuxer.packets(video.index)))) {
    using held = frame
    if (!held) break
    return { ...(await writePosters(pixelsOf(held), 'poster-', input.outDir)), seconds }
  }
  throw new Error('the finished video has no picture')
}

/**
 * Makes the posters of what a video of ours shows at `seconds` (clamped to its length), under names that no other
 * call gives.
 */
export async function makePosterAt(input: {
  path: string
  seconds: number
  outDir: string
  maxPixels: number
}): Promise<Poster> {
  const { demuxer, video } = await openSource(input.path, 'mov')
  await using _demuxer = demuxer
  checkDimensions(video.codecpar.width, video.codecpar.height, input.maxPixels)
  using decoder = await openDecoder(video, { max_pixels: input.maxPixels })
  await demuxer.seek(Math.min(Math.max(0, input.seconds), demuxer.duration), -1, AVSEEK_FLAG_BACKWARD)
  using shown = await lastFrameUntil(input.seconds, decoder.frames(demuxer.packets(video.index)))
  if (!shown) throw new Refused('media_unreadable')
  using graph = FilterAPI.create('format=rgb24')
  for await (const frame of graph.frames(shown)) {
    using held = frame
    if (held) return writePosters(pixelsOf(held), `poster-${randomBytes(4).toString('hex')}-`, input.outDir)
  }
  throw new Refused('media_unreadable')
}

/** The frame that is on the screen at `seconds`: the last one that starts until then, or else the first. */
async function lastFrameUntil(seconds: number, frames: AsyncIterable<Frame | null>): Promise<Frame | null> {
  let shown: Frame | null = null
  for await (const frame of frames) {
    if (!frame) break
    const isLater = (Number(frame.pts) * frame.timeBase.num) / frame.timeBase.den > seconds
    if (isLater && shown) {
      frame.free()
      break
    }
    shown?.free()
    shown = frame
    if (isLater) break
  }
  return shown
}

function pixelsOf(frame: Frame): Pixels {
  return { data: frame.toBuffer(), width: frame.width, height: frame.height, channels: 3 }
}

async function writePosters(pixels: Pixels, prefix: string, outDir: string): Promise<Poster> {
  const variants = await writePictures(pixels, {
    widths: widthsWithin(widths, pixels.width),
    formats,
    prefix,
    outDir,
  })
  return { variants, thumbhash: await thumbhashOf(pixels) }
}
