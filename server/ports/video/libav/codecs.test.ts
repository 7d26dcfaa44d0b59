import { readFile, writeFile } from 'node:fs/promises'
import {
  FF_ENCODER_AAC,
  FF_ENCODER_CINEPAK,
  FF_ENCODER_DVVIDEO,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBX264,
  FF_ENCODER_MPEG2VIDEO,
  FF_ENCODER_PCM_S16LE,
  FF_ENCODER_PCM_S24LE,
  FF_ENCODER_QTRLE,
  FF_ENCODER_SVQ1,
} from 'node-av'
import { describe, expect, test } from 'vitest'
import { minIntactShare } from './limits.ts'
import { corners, readCorners } from './testing/pictures.ts'
import { everyFrame, loudness, playVideo, recordPictures } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const usual = {
  format: 'mov',
  encoder: FF_ENCODER_LIBX264,
  filter: 'format=yuv420p',
  width: 320,
  height: 240,
  times: everyFrame(10, 10),
} as const

async function record(name: string, change: Partial<Parameters<typeof recordPictures>[2]>): Promise<string> {
  return recordPictures(bench.folder(), name, { ...usual, ...change })
}

async function takeFile(path: string) {
  const { outcome } = await bench.process(path)
  if (!outcome.ok) throw new Error(outcome.refusal)
  const video = outcome.media.variants[0]?.path ?? ''
  return { media: outcome.media, video, played: await playVideo(video) }
}

describe('a decoder that is not on the list is never opened', () => {
  test.each([
    ['Cinepak', FF_ENCODER_CINEPAK, 'format=rgb24'],
    ['Sorenson Video', FF_ENCODER_SVQ1, 'format=yuv410p'],
    ['QuickTime Animation', FF_ENCODER_QTRLE, 'format=rgb24'],
  ])('%s', async (name, encoder, filter) => {
    const path = await record(`${name}.mov`, { encoder, filter })
    const { outcome, files } = await bench.process(path)
    expect(outcome).toEqual({ ok: false, refusal: 'media_type_unsupported' })
    expect(files).toEqual([])
  })
})

describe('what camcorders and editors write', () => {
  test.each([
    [
      'MPEG-2',
      { encoder: FF_ENCODER_MPEG2VIDEO, filter: 'fps=25,format=yuv420p', times: everyFrame(25, 25) },
    ],
    [
      'DV',
      {
        encoder: FF_ENCODER_DVVIDEO,
        filter: 'scale=720:576,fps=25,format=yuv420p',
        times: everyFrame(25, 25),
      },
    ],
    [
      'FLAC',
      { format: 'mp4', sound: { encoder: FF_ENCODER_FLAC, filter: 'aformat=sample_fmts=s16', seconds: 1 } },
    ],
    [
      '24-bit PCM',
      { sound: { encoder: FF_ENCODER_PCM_S24LE, filter: 'aformat=sample_fmts=s32', seconds: 1 } },
    ],
  ])('%s is taken', async (name, change) => {
    const { played, media } = await takeFile(await record(`${name}.mov`, change))
    expect(readCorners(played.first.data, played.first.width, played.first.height, 3)).toEqual(corners)
    expect(media.damaged).toBe(false)
    expect(played.codecs).toHaveLength('sound' in change ? 2 : 1)
  })
})

describe('sound', () => {
  const pcm = (filter: string, seconds = 1) => ({
    sound: { encoder: FF_ENCODER_PCM_S16LE, filter: `${filter},aformat=sample_fmts=s16`, seconds },
  })

  test('of one channel is as loud as that of two', async () => {
    const stereo = await takeFile(await record('stereo.mov', pcm('anull')))
    const mono = await takeFile(await record('mono.mov', pcm('pan=mono|c0=c0')))
    expect((await loudness(mono.video)) / (await loudness(stereo.video))).toBeCloseTo(1, 1)
  })

  test.each([
    ['7.1 with its places', 'pan=7.1|FL=c0|FR=c1|FC=c0|LFE=c0|BL=c0|BR=c1|SL=c0|SR=c1'],
    ['8 channels without places', 'pan=8c|c0=c0|c1=c1|c2=c0|c3=c0|c4=c0|c5=c1|c6=c0|c7=c1'],
  ])('of %s is heard', async (name, filter) => {
    const { media, video } = await takeFile(await record(`${name}.mov`, pcm(filter)))
    expect(media.damaged).toBe(false)
    expect(await loudness(video)).toBeGreaterThan(0.05)
  })

  test('that goes on after the picture counts for the length', async () => {
    const { media } = await takeFile(await record('longer.mov', pcm('anull', 3)))
    expect(media.durationSeconds).toBe(3)
  })
})

test('fields of an interlaced recording are put together without combs', async () => {
  // Every other line of each frame is another moment: black and white.
  const combed = "geq=lum='if(mod(Y,2),235,16)':cb=128:cr=128,format=yuv420p,setfield=tff"
  const path = await record('fields.mov', {
    encoder: FF_ENCODER_DVVIDEO,
    filter: `scale=720:576,fps=25,${combed}`,
    times: everyFrame(25, 25),
  })
  const { played } = await takeFile(path)
  const { data, width, height } = played.first
  const line = (y: number) => data[(y * width + Math.floor(width / 2)) * 3] ?? 0
  const steps = Array.from({ length: height - 40 }, (_, y) => Math.abs(line(y + 21) - line(y + 20)))
  expect(steps.reduce((sum, step) => sum + step, 0) / steps.length).toBeLessThan(60)
})

describe('a damaged file', () => {
  const long = { times: everyFrame(117, 30), format: 'mp4', filter: 'noise=alls=30:allf=t,format=yuv420p' }
  const sound = { encoder: FF_ENCODER_AAC, filter: 'aformat=sample_fmts=fltp', seconds: 3.9 }

  /** Overwrites a few bytes in the middle of the media data, so many times. */
  function spoil(bytes: Buffer, times: number): Buffer {
    const copy = Buffer.from(bytes)
    const start = copy.indexOf('mdat', 0, 'latin1') + 4
    const length = copy.readUInt32BE(start - 8) - 8
    for (let time = 1; time <= times; time += 1)
      copy.fill(
        0xff,
        start + Math.floor((length * time) / (times + 1)),
        start + Math.floor((length * time) / (times + 1)) + 40,
      )
    return copy
  }

  test('with a few broken bytes is taken, and its owner is told; with many it is refused', async () => {
    const bytes = await readFile(await record('whole.mp4', { ...long, sound }))
    await writeFile(`${bench.folder()}/few.mp4`, spoil(bytes, 1))
    const { media, played } = await takeFile(`${bench.folder()}/few.mp4`)
    expect(media).toMatchObject({ damaged: true, durationSeconds: 4 })
    expect(played.frames).toBeGreaterThan(long.times.length * minIntactShare)
    await writeFile(`${bench.folder()}/many.mp4`, spoil(bytes, 60))
    const { outcome, files } = await bench.process(`${bench.folder()}/many.mp4`)
    expect([outcome, files]).toEqual([{ ok: false, refusal: 'media_unreadable' }, []])
  })

  test('that was cut in its last frames is taken, and its owner is told; cut in half it is refused', async () => {
    // Our own files begin with their index, which a cut leaves whole.
    const { video, played: whole } = await takeFile(await record('whole.mp4', { ...long, sound }))
    const bytes = await readFile(video)
    // A part of a frame: with it go those that refer to it, as many as the encoder happened to make of them.
    await writeFile(`${bench.folder()}/cut.mp4`, bytes.subarray(0, Math.floor(bytes.length * 0.998)))
    await writeFile(`${bench.folder()}/half.mp4`, bytes.subarray(0, Math.floor(bytes.length * 0.5)))
    const { media, played } = await takeFile(`${bench.folder()}/cut.mp4`)
    expect(media.damaged).toBe(true)
    expect(played.frames).toBeGreaterThan(whole.frames * minIntactShare)
    expect(played.frames).toBeLessThan(whole.frames)
    const { outcome, files } = await bench.process(`${bench.folder()}/half.mp4`)
    expect([outcome, files]).toEqual([{ ok: false, refusal: 'media_unreadable' }, []])
  })
})
