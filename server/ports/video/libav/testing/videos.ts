import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_LOG_QUIET,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_SAMPLE_FMT_FLT,
  Decoder,
  Demuxer,
  Dictionary,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_APNG,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  FilterAPI,
  Frame,
  Log,
  Muxer,
  Rational,
  type Stream,
} from 'node-av'
import { markedPixels } from './pictures.ts'

const ticksPerSecond = 600
Log.setLevel(AV_LOG_QUIET)

export type VideoOptions = {
  format: 'mp4' | 'mov'
  width: number
  height: number
  /** Presentation times in seconds, one for each frame. */
  times: number[]
  /** The nine cells of the display matrix, in whole units. */
  matrix?: number[]
  /** Seconds of a stereo tone, from `start` seconds on. */
  sound?: { start: number; seconds: number }
  metadata?: Record<string, string>
  /** Ten bits a channel in HEVC with the PQ curve, as phones record. */
  highDynamicRange?: boolean
  /** In pieces and without a length in its header, as a live recording. */
  fragmented?: boolean
}

const perceptualQuantizer =
  'zscale=tin=709:min=gbr:pin=709:rin=full:t=smpte2084:p=2020:m=2020_ncl:r=limited:npl=203,format=yuv420p10le,setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc:range=tv'

export const everyFrame = (count: number, frameRate: number) =>
  Array.from({ length: count }, (_, index) => index / frameRate)

/** Records a marked picture as a video, as a camera would, and answers its path. */
export async function recordVideo(folder: string, name: string, options: VideoOptions): Promise<string> {
  const path = join(folder, name)
  await rm(path, { force: true })
  await using muxer = await Muxer.open(path, {
    format: options.format,
    options: {
      movflags: options.fragmented ? 'frag_keyframe+empty_moov' : '+use_metadata_tags',
    },
    configure: (context) => {
      if (options.metadata) context.metadata = Dictionary.fromObject(options.metadata)
      if (options.matrix)
        context.streams?.[0]?.codecpar.addCodedSideData(
          AV_PKT_DATA_DISPLAYMATRIX,
          matrixBytes(options.matrix),
        )
    },
  })
  using video = options.highDynamicRange
    ? await Encoder.create(FF_ENCODER_LIBX265, {
        options: { preset: 'ultrafast', 'x265-params': 'log-level=none' },
      })
    : await Encoder.create(FF_ENCODER_LIBX264, {
        options: { preset: 'ultrafast' },
        context: { maxBFrames: 0 },
      })
  using filter = FilterAPI.create(options.highDynamicRange ? perceptualQuantizer : 'format=yuv420p')
  const videoIndex = muxer.addStream(video)
  using audio = options.sound ? await Encoder.create(FF_ENCODER_AAC, { autoResample: true }) : null
  const audioIndex = audio ? muxer.addStream(audio) : -1
  const pixels = markedPixels(options.width, options.height)
  for await (const packet of video.packets(filter.frames(pictures(pixels, options)))) {
    using held = packet
    await muxer.writePacket(held, videoIndex)
  }
  if (audio && options.sound) {
    for await (const packet of audio.packets(tone(options.sound.seconds))) {
      using held = packet
      if (held) held.pts += BigInt(Math.round(options.sound.start * 48_000))
      if (held) held.dts += BigInt(Math.round(options.sound.start * 48_000))
      await muxer.writePacket(held, audioIndex)
    }
  }
  return path
}

/** A file with sound and nothing to see. */
export async function recordSound(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await using muxer = await Muxer.open(path, { format: 'mp4' })
  using audio = await Encoder.create(FF_ENCODER_AAC, { autoResample: true })
  const index = muxer.addStream(audio)
  for await (const packet of audio.packets(tone(1))) {
    using held = packet
    await muxer.writePacket(held, index)
  }
  return path
}

/** An animated PNG of `count` marked pictures, ten a second. */
export function recordApng(
  folder: string,
  name: string,
  options: { width: number; height: number; count: number },
) {
  const times = everyFrame(options.count, 10)
  return recordPictures(folder, name, { ...options, format: 'apng', encoder: FF_ENCODER_APNG, times })
}

/**
 * Records a marked picture by any encoder, after `filter`, into any format; with sound, a tone of so many seconds that
 * went through a filter of its own.
 */
export async function recordPictures(
  folder: string,
  name: string,
  options: {
    format: string
    encoder: Parameters<typeof Encoder.create>[0]
    filter?: string
    width: number
    height: number
    times: number[]
    sound?: { encoder: Parameters<typeof Encoder.create>[0]; filter: string; seconds: number }
  },
): Promise<string> {
  const path = join(folder, name)
  await rm(path, { force: true })
  await using muxer = await Muxer.open(path, { format: options.format })
  using filter = FilterAPI.create(options.filter ?? 'null')
  using encoder = await Encoder.create(options.encoder, { filter })
  const index = muxer.addStream(encoder)
  const { sound } = options
  using soundFilter = sound ? FilterAPI.create(sound.filter) : null
  using soundEncoder =
    sound && soundFilter ? await Encoder.create(sound.encoder, { filter: soundFilter }) : null
  const soundIndex = soundEncoder ? muxer.addStream(soundEncoder) : -1
  const pixels = markedPixels(options.width, options.height)
  for await (const packet of encoder.packets(filter.frames(pictures(pixels, options)))) {
    using held = packet
    await muxer.writePacket(held, index)
  }
  if (sound && soundFilter && soundEncoder) {
    for await (const packet of soundEncoder.packets(soundFilter.frames(tone(sound.seconds)))) {
      using held = packet
      await muxer.writePacket(held, soundIndex)
    }
  }
  return path
}

/** The loudest sample of a finished video's sound, 1 for full scale. */
export async function loudness(path: string): Promise<number> {
  await using demuxer = await Demuxer.open(path)
  const audio = demuxer.audio()
  if (!audio) return 0
  using decoder = await Decoder.create(audio)
  using filter = FilterAPI.create('aformat=sample_fmts=flt:channel_layouts=stereo')
  let loudest = 0
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(audio.index)))) {
    using held = frame
    if (!held) break
    const bytes = held.toBuffer()
    for (let index = 0; index < 2 * held.nbSamples; index += 1)
      loudest = Math.max(loudest, Math.abs(bytes.readFloatLE(index * 4)))
  }
  return loudest
}

/** The tracks and frames that a player would find in a finished video; decodes every frame. */
export async function playVideo(path: string) {
  await using demuxer = await Demuxer.open(path)
  const video = demuxer.video()
  if (!video) throw new Error('no video stream')
  using decoder = await Decoder.create(video)
  let first: { data: Buffer; width: number; height: number } | null = null
  let frames = 0
  for await (const frame of decoder.frames(demuxer.packets(video.index))) {
    using held = frame
    if (!held) break
    frames += 1
    first ??= await inColour(held)
  }
  if (!first) throw new Error('no frame')
  return {
    first,
    frames,
    seconds: secondsOf(video),
    codecs: demuxer.streams.map((stream) => stream.codecpar.codecId),
    isYuv420: video.codecpar.format === AV_PIX_FMT_YUV420P,
    sideData: video.codecpar.getAllCodedSideData().length,
    metadata: demuxer.metadata,
  }
}

/** How long the picture of a file plays, as it says itself. */
export async function lengthOf(path: string): Promise<number> {
  await using demuxer = await Demuxer.open(path)
  const video = demuxer.video()
  if (!video) throw new Error('no video stream')
  return secondsOf(video)
}

function secondsOf({ duration, timeBase }: Stream): number {
  return (Number(duration) * timeBase.num) / timeBase.den
}

/** Packed RGB of a frame. */
async function inColour(frame: Frame): Promise<{ data: Buffer; width: number; height: number }> {
  using filter = FilterAPI.create('format=rgb24')
  for await (const shown of filter.frames(frame)) {
    using held = shown
    if (held) return { data: held.toBuffer(), width: held.width, height: held.height }
  }
  throw new Error('no picture in the frame')
}

/** The time of the first loud sample of a finished video in seconds; null when it is silent. */
export async function soundStart(path: string): Promise<number | null> {
  await using demuxer = await Demuxer.open(path)
  const audio = demuxer.audio()
  if (!audio) return null
  using decoder = await Decoder.create(audio)
  using filter = FilterAPI.create('aformat=sample_fmts=flt:channel_layouts=mono:sample_rates=48000')
  for await (const frame of filter.frames(decoder.frames(demuxer.packets(audio.index)))) {
    using held = frame
    if (!held) break
    const bytes = held.toBuffer()
    const samples = Array.from({ length: held.nbSamples }, (_, index) => bytes.readFloatLE(index * 4))
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.05)
    if (first >= 0) return (Number(held.pts) * held.timeBase.num) / held.timeBase.den + first / 48_000
  }
  return null
}

async function* pictures(
  pixels: Buffer,
  options: { width: number; height: number; times: number[] },
): AsyncGenerator<Frame | null> {
  for (const [index, time] of options.times.entries()) {
    const frame = Frame.fromVideoBuffer(pixels, {
      width: options.width,
      height: options.height,
      format: AV_PIX_FMT_RGB24,
      pts: BigInt(Math.round(time * ticksPerSecond)),
      timeBase: new Rational(1, ticksPerSecond),
    })
    frame.duration = BigInt(Math.round(((options.times[index + 1] ?? time + 0.1) - time) * ticksPerSecond))
    yield frame
  }
  yield null
}

async function* tone(seconds: number): AsyncGenerator<Frame | null> {
  const samples = 1024
  for (let start = 0; start < seconds * 48_000; start += samples) {
    const values = new Float32Array(samples * 2).map(
      (_, index) => 0.2 * Math.sin((start + Math.floor(index / 2)) / 20),
    )
    yield Frame.fromAudioBuffer(Buffer.from(values.buffer), {
      nbSamples: samples,
      format: AV_SAMPLE_FMT_FLT,
      sampleRate: 48_000,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      pts: BigInt(start),
      timeBase: new Rational(1, 48_000),
    })
  }
  yield null
}

function matrixBytes(cells: number[]): Buffer {
  const bytes = Buffer.alloc(36)
  cells.forEach((cell, index) => {
    bytes.writeInt32LE(cell * (index % 3 === 2 ? 2 ** 30 : 2 ** 16), index * 4)
  })
  return bytes
}
