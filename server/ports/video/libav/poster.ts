import { stat } from 'node:fs/promises'
import { Decoder, FilterAPI, type Frame } from 'node-av'
import type { Variant } from '../port.ts'
import { checkBoxes } from './boxes.ts'
import { type Pixels, thumbhashOf, writeWebp } from './image.ts'
import { openSource } from './source.ts'
import { widthsWithin } from './widths.ts'

const widths = [640, 1280] as const

/** Four frames a second of the first ten seconds, of which the one nearest to their average is taken. */
const filter = 'select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,0.25),format=rgb24,thumbnail=40'

type Poster = { variants: Variant[]; thumbhash: string; seconds: number }

/**
 * Makes the posters and the blur of a finished `video.mp4` of ours. `seconds` is how long its picture plays. Throws
 * a plain error when the file cannot be read back: then writing it failed, which is nobody's upload's fault.
 */
export async function makePoster(input: { video: string; outDir: string }): Promise<Poster> {
  try {
    await checkBoxes(input.video, (await stat(input.video)).size)
    return await readPoster(input)
  } catch (error) {
    throw new Error('the finished video could not be read back', { cause: error })
  }
}

async function readPoster(input: { video: string; outDir: string }): Promise<Poster> {
  const { demuxer, video } = await openSource(input.video, 'mov')
  await using _demuxer = demuxer
  using decoder = await Decoder.create(video)
  using graph = FilterAPI.create(filter)
  const seconds = (Number(video.duration) * video.timeBase.num) / video.timeBase.den
  for await (const frame of graph.frames(decoder.frames(demuxer.packets(video.index)))) {
    using held = frame
    if (!held) break
    return { ...(await writePosters(pixelsOf(held), input.outDir)), seconds }
  }
  throw new Error('the finished video has no picture')
}

function pixelsOf(frame: Frame): Pixels {
  return { data: frame.toBuffer(), width: frame.width, height: frame.height, channels: 3 }
}

async function writePosters(
  pixels: Pixels,
  outDir: string,
): Promise<{ variants: Variant[]; thumbhash: string }> {
  const variants: Variant[] = []
  for (const width of widthsWithin(widths, pixels.width)) {
    variants.push(await writeWebp(pixels, { width, name: `poster-w${width}.webp`, outDir }))
  }
  return { variants, thumbhash: await thumbhashOf(pixels) }
}
