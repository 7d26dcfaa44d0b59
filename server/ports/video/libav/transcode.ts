import { availableParallelism } from 'node:os'
import {
  Decoder,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FilterAPI,
  Muxer,
  type Packet,
  type Stream,
} from 'node-av'
import { onWhite, type Picture } from './picture.ts'
import { Refused } from './refused.ts'
import type { Source } from './source.ts'

/** More threads gain little at low priority and each holds frames in memory. */
const threadCount = Math.min(4, availableParallelism())

type Track = { decoder: Decoder; filter: FilterAPI; encoder: Encoder; output: number }

/**
 * Decodes and encodes everything anew into a streamable MP4 at `target`: the muxer never sees the source, so that
 * none of its metadata, matrices or edit lists can pass. `onTime` gets the seconds done. Answers how many frames
 * the video has.
 */
export async function transcode(input: {
  source: Source
  picture: Picture
  transparent: boolean
  target: string
  maxPixels: number
  onTime: (seconds: number) => void
}): Promise<{ frames: number }> {
  const { source, picture } = input
  let frames = 0
  await using muxer = await Muxer.open(input.target, { format: 'mp4', options: { movflags: '+faststart' } })
  const tracks = new Map<number, Track>()
  try {
    const video = await videoTrack(source.video, picture, input.transparent, input.maxPixels)
    tracks.set(source.video.index, { ...video, output: muxer.addStream(video.encoder) })
    if (source.audio) {
      const audio = await audioTrack(source.audio)
      tracks.set(source.audio.index, { ...audio, output: muxer.addStream(audio.encoder) })
    }
    for await (const packet of source.demuxer.packets()) {
      using held = packet
      if (held === null) {
        for (const [index, track] of tracks) {
          const written = await advance(track, null, muxer)
          if (index === source.video.index) frames += written
        }
        break
      }
      const track = tracks.get(held.streamIndex)
      if (!track) continue
      const written = await advance(track, held, muxer)
      if (held.streamIndex === source.video.index) {
        frames += written
        input.onTime((Number(held.pts) * source.video.timeBase.num) / source.video.timeBase.den)
      }
    }
    return { frames }
  } finally {
    for (const track of tracks.values()) {
      track.decoder.close()
      track.filter.close()
      track.encoder.close()
    }
  }
}

async function videoTrack(stream: Stream, picture: Picture, transparent: boolean, maxPixels: number) {
  const decoder = await openDecoder(stream, { max_pixels: maxPixels })
  const filter = FilterAPI.create(transparent ? onWhite + picture.filter : picture.filter)
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    filter,
    context: {
      bitRate: 0n,
      rcMaxRate: '6M',
      rcBufferSize: '12M',
      gopSize: Math.max(1, Math.round((2 * picture.frameRate.num) / picture.frameRate.den)),
      threadCount,
    },
    options: { preset: 'veryfast', crf: 23, profile: 'high', a53cc: false },
  })
  return { decoder, filter, encoder }
}

async function audioTrack(stream: Stream) {
  const decoder = await openDecoder(stream, {})
  const filter = FilterAPI.create(
    'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo',
  )
  const encoder = await Encoder.create(FF_ENCODER_AAC, { context: { bitRate: '128k' } })
  return { decoder, filter, encoder }
}

async function openDecoder(stream: Stream, options: Record<string, string | number>): Promise<Decoder> {
  try {
    return await Decoder.create(stream, { exitOnError: true, context: { threadCount }, options })
  } catch (error) {
    throw new Refused('media_type_unsupported', error)
  }
}

/** Takes one packet (null: the end) through a track; answers how many packets came out at the other end. */
async function advance(track: Track, packet: Packet | null, muxer: Muxer): Promise<number> {
  let written = 0
  const frames = packet ? track.decoder.frames(packet) : track.decoder.frames(null)
  for await (const packet of track.encoder.packets(track.filter.frames(refusing(frames)))) {
    using held = packet
    await muxer.writePacket(held, track.output)
    if (held) written += 1
  }
  return written
}

/** What the decoder throws is the file's fault; what comes after it is not. */
async function* refusing<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}
