import {
  AV_CHANNEL_ORDER_UNSPEC,
  AV_PKT_FLAG_DISCARD,
  type Decoder,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  type Frame,
  Muxer,
  type Packet,
  type Stream,
} from 'node-av'
import { openPlaylist } from './hls.ts'
import { onWhite, type Picture } from './picture.ts'
import type { Quality } from './quality.ts'
import { Refused } from './refused.ts'
import { openDecoder, type Source, threadCount } from './source.ts'

/** An encoder and the files that its packets go to. */
type Output = { encoder: Encoder; targets: Array<{ muxer: Muxer; stream: number }> }
/** Frames of the made video, frames that decoded, packets that should have been shown, and packets that were read. */
export type Transcoded = { frames: number; decoded: number; shown: number; read: number }
/** `scale` is null for the quality of the picture's own size. */
type VideoOutput = Output & { scale: FilterAPI | null }

/**
 * Decodes everything once and encodes it into a streamable MP4 at `target`, and when `stream` is given also into the
 * parts of an HLS stream in that folder, whose keyframes stand at the same times in each of `qualities` (the first is
 * the picture's own size, and is encoded once for both). No muxer ever sees the source, so that none of its metadata,
 * matrices or edit lists can pass. `onTime` gets the seconds done.
 */
export async function transcode(input: {
  source: Source
  picture: Picture
  qualities: [Quality, ...Quality[]]
  transparent: boolean
  target: string
  stream: { outDir: string } | null
  maxPixels: number
  maxSeconds: number
  /** Whether the first damaged frame ends it; else frames that don't decode are left out. */
  strict: boolean
  onTime: (seconds: number) => void
}): Promise<Transcoded> {
  const { source, picture, stream, strict } = input
  await using open = new AsyncDisposableStack()
  const muxers: Array<{ muxer: Muxer; quality: Quality }> = []
  const [own, ...smaller] = input.qualities
  const mp4 = await Muxer.open(input.target, { format: 'mp4', options: { movflags: '+faststart' } })
  muxers.push({ muxer: open.use(mp4), quality: own })
  for (const quality of stream ? [own, ...smaller] : []) {
    muxers.push({ muxer: open.use(await openPlaylist(quality, stream?.outDir ?? '')), quality })
  }
  const decoder = open.use(await openDecoder(source.video, { max_pixels: input.maxPixels }, { strict }))
  const filter = open.use(FilterAPI.create(input.transparent ? onWhite + picture.filter : picture.filter))
  const videos: VideoOutput[] = []
  // The own size comes last: its encoder may change the frame that the others are scaled from.
  for (const quality of stream ? [...smaller, own] : [own]) {
    const scale =
      quality === own
        ? null
        : open.use(FilterAPI.create(`scale=w=${quality.width}:h=${quality.height}:flags=bicubic`))
    const encoder = open.use(await videoEncoder(quality, picture, scale ?? filter, stream !== null))
    const targets = muxers
      .filter((target) => target.quality === quality)
      .map(({ muxer }) => add(muxer, encoder))
    videos.push({ encoder, scale, targets })
  }
  const audio = source.audio && (await audioTrack(source.audio, strict))
  if (audio) for (const part of [audio.decoder, audio.filter, audio.encoder]) open.use(part)
  const sound = audio && {
    encoder: audio.encoder,
    targets: muxers.map(({ muxer }) => add(muxer, audio.encoder)),
  }

  let frames = 0
  const count = { decoded: 0, shown: 0, read: 0 }
  const advanceVideo = async (packet: Packet | null) => {
    const decoded = counting(refusing(framesOf(decoder, packet)), () => {
      count.decoded += 1
    })
    for await (const frame of filter.frames(decoded)) {
      using held = frame
      for (const output of videos) frames += await encodeVideo(output, held)
    }
  }
  const advanceAudio = async (packet: Packet | null) => {
    if (!audio || !sound) return
    const packets = audio.encoder.packets(audio.filter.frames(refusing(framesOf(audio.decoder, packet))))
    await write(packets, sound)
  }
  for await (const packet of source.demuxer.packets()) {
    using held = packet
    if (held === null) break
    const isVideo = held.streamIndex === source.video.index
    if (!isVideo && held.streamIndex !== source.audio?.index) continue
    // Before it is decoded: the filters would fill a gap of days with copies of one frame.
    if (secondsOf(held.pts + held.duration, held) > input.maxSeconds)
      throw new Refused('media_too_long_to_process')
    if (isVideo) count.read += 1
    if (isVideo && !held.hasFlags(AV_PKT_FLAG_DISCARD)) count.shown += 1
    await (isVideo ? advanceVideo(held) : advanceAudio(held))
    if (isVideo) input.onTime(secondsOf(held.pts, held))
  }
  await advanceVideo(null)
  await advanceAudio(null)
  return { ...count, frames: Math.floor(frames / videos.length) }
}

function secondsOf(ticks: bigint, { timeBase }: Packet): number {
  return (Number(ticks) * timeBase.num) / timeBase.den
}

function add(muxer: Muxer, encoder: Encoder) {
  return { muxer, stream: muxer.addStream(encoder) }
}

function encodeVideo({ encoder, scale, targets }: VideoOutput, frame: Frame | null): Promise<number> {
  return write(encoder.packets(scale ? scale.frames(frame) : frame), { encoder, targets })
}

/** Writes every packet to every file of the output; answers how many there were. */
async function write(packets: AsyncIterable<Packet | null>, { targets }: Output): Promise<number> {
  let written = 0
  for await (const packet of packets) {
    using held = packet
    for (const { muxer, stream } of targets) await muxer.writePacket(held, stream)
    if (held) written += 1
  }
  return written
}

function videoEncoder(quality: Quality, picture: Picture, filter: FilterAPI, aligned: boolean) {
  return Encoder.create(FF_ENCODER_LIBX264, {
    filter,
    context: {
      bitRate: 0n,
      rcMaxRate: BigInt(quality.maxRate),
      rcBufferSize: BigInt(2 * quality.maxRate),
      gopSize: Math.max(1, Math.round((2 * picture.frameRate.num) / picture.frameRate.den)),
      threadCount,
    },
    options: {
      preset: 'veryfast',
      crf: 23,
      profile: 'high',
      a53cc: false,
      // A keyframe at each change of scene would stand elsewhere in each quality.
      sc_threshold: aligned ? 0 : 40,
    },
  })
}

async function audioTrack(stream: Stream, strict: boolean) {
  const decoder = await openDecoder(stream, {}, { strict })
  const filter = FilterAPI.create(
    `${placeChannels(stream)}aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo`,
  )
  const encoder = await Encoder.create(FF_ENCODER_AAC, { context: { bitRate: '128k' } })
  return { decoder, filter, encoder }
}

/** Names of the usual layouts by their number of channels, for tracks that only count them. */
const usualLayouts: Record<number, string> = { 3: '2.1', 4: '4.0', 5: '5.0', 6: '5.1', 7: '6.1', 8: '7.1' }

/** A single channel comes from both sides as loud as it is; of channels without a place each gets its usual one. */
function placeChannels({ codecpar: { channelLayout } }: Stream): string {
  const { nbChannels, order } = channelLayout
  if (nbChannels === 1) return 'pan=stereo|c0=c0|c1=c0,'
  if (order !== AV_CHANNEL_ORDER_UNSPEC || nbChannels === 2) return ''
  const layout = usualLayouts[nbChannels]
  const places = Array.from({ length: nbChannels }, (_, channel) => channel).join('|')
  return layout ? `channelmap=map=${places}:channel_layout=${layout},` : 'pan=stereo|c0=c0|c1=c1,'
}

async function* counting<Item>(
  items: AsyncIterable<Item | null>,
  count: () => void,
): AsyncGenerator<Item | null> {
  for await (const item of items) {
    if (item) count()
    yield item
  }
}

/** The frames of one packet (null: the end). */
function framesOf(decoder: Decoder, packet: Packet | null): AsyncGenerator<Frame | null> {
  return packet ? decoder.frames(packet) : decoder.frames(null)
}

/** Errors of the decoder are the file's fault; later ones are not. */
async function* refusing<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}
