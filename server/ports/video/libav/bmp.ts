import { FilterAPI } from 'node-av'
import { checkDimensions } from './inspect.ts'
import { Refused } from './refused.ts'
import { openDecoder, openSource } from './source.ts'
import { writeTiff } from './tiff.ts'

const uncompressed = { orientation: 1, profile: null }

/** Turns a bitmap of Windows into an uncompressed picture that sharp reads; its alpha, if it has any, is not kept. */
export async function decodeBmp(input: { path: string; target: string; maxPixels: number }): Promise<void> {
  const { path, target, maxPixels } = input
  const { demuxer, video } = await openSource(path, 'bmp_pipe')
  await using _demuxer = demuxer
  checkDimensions(video.codecpar.width, video.codecpar.height, maxPixels)
  using decoder = await openDecoder(video, { max_pixels: maxPixels })
  using filter = FilterAPI.create('format=rgb24')
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(video.index)))) {
    using held = frame
    if (!held) break
    const { width, height } = held
    return writeTiff(target, { width, height, ...uncompressed }, once(held.toBuffer()))
  }
  throw new Refused('media_unreadable')
}

async function* once(pixels: Buffer): AsyncGenerator<Buffer> {
  yield pixels
}
