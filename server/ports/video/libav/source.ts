import { availableParallelism } from 'node:os'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AVERROR_EACCES,
  AVERROR_EIO,
  AVERROR_ENOMEM,
  AVERROR_ENOSPC,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  Codec,
  Decoder,
  Demuxer,
  FFmpegError,
  type Stream,
} from 'node-av'
import type { Demuxer as DemuxerName } from './kinds.ts'
import { Refused } from './refused.ts'

/**
 * The codecs that cameras, phones and editors write. Rare decoders have the most holes, so no other one is ever
 * opened.
 */
const codecs = [
  ...['h264', 'hevc', 'libdav1d', 'av1', 'vp9', 'mpeg4', 'mpeg2video', 'h263', 'prores', 'dvvideo', 'mjpeg'],
  ...['apng', 'png', 'webp', 'webp_anim', 'gif', 'bmp'],
  ...['aac', 'alac', 'flac', 'mp3float', 'mp3', 'ac3', 'eac3', 'libopus', 'opus', 'amrnb', 'amrwb'],
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be'],
  ...['pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_alaw', 'pcm_mulaw'],
]

export type SourceFormat = DemuxerName | 'bmp_pipe'

export type Source = { demuxer: Demuxer; video: Stream; audio: Stream | null }

/**
 * Opens a local file as exactly the format it was inspected to be: no other demuxer, protocol or file is reachable
 * from it. `close` the demuxer. Refuses a file without a moving picture or with sound of an unknown kind.
 */
export async function openSource(path: string, format: SourceFormat): Promise<Source> {
  const demuxer = await open(path, format)
  const pictures = demuxer.streams.filter(
    (stream) =>
      stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  )
  // A sequence of pictures begins with a still one for viewers that show no other.
  const video = pictures.find(({ nbFrames }) => nbFrames !== 1n) ?? pictures[0]
  const sounds = demuxer.streams.filter(
    (stream) => stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO && !isEmpty(stream, video),
  )
  // Phones add a second, spatial sound track that nothing else can decode.
  const audio =
    sounds.find((stream) => stream.codecpar.sampleRate > 0 && stream.codecpar.channels > 0) ?? null
  if (!video || (sounds.length > 0 && !audio)) {
    await demuxer.close()
    throw new Refused(video ? 'media_type_unsupported' : 'media_no_picture')
  }
  return { demuxer, video, audio }
}

/** A sound track without a sample. Fragmented files count none for any track in advance. */
function isEmpty(sound: Stream, video: Stream | undefined): boolean {
  return sound.nbFrames === 0n && (video?.nbFrames ?? 0n) > 0n
}

async function open(path: string, format: SourceFormat): Promise<Demuxer> {
  try {
    return await Demuxer.open(path, {
      format,
      options: {
        protocol_whitelist: 'file',
        format_whitelist: 'mov,mp4,m4a,3gp,3g2,mj2,apng,webp_anim,gif,bmp_pipe',
        codec_whitelist: codecs.join(','),
        max_streams: 32,
      },
    })
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}

/** More threads gain little at low priority and each holds frames in memory. */
export const threadCount = Math.min(4, availableParallelism())

/**
 * The decoder of a track. The list binds it too: the demuxer's own only stops what it opens itself to look into a file.
 * A damaged frame is left out unless `strict`.
 */
export async function openDecoder(
  stream: Stream,
  options: Record<string, string | number>,
  { strict = true }: { strict?: boolean } = {},
): Promise<Decoder> {
  const codec = Codec.findDecoder(stream.codecpar.codecId)
  if (!codec?.name || !codecs.includes(codec.name)) throw new Refused('media_type_unsupported')
  try {
    return await Decoder.create(stream, {
      exitOnError: strict,
      context: { threadCount },
      options: { ...options, codec_whitelist: codecs.join(',') },
    })
  } catch (error) {
    throw new Refused('media_type_unsupported', error)
  }
}

/**
 * Whether an error is the file's: a full disk or exhausted memory says nothing about it, and the same job may succeed
 * later.
 */
export function isFileFault(error: unknown): boolean {
  if (error instanceof Refused) return error.refusal === 'media_unreadable'
  const machineFaults = [AVERROR_ENOSPC, AVERROR_EIO, AVERROR_ENOMEM, AVERROR_EACCES]
  return error instanceof FFmpegError && !machineFaults.some((code) => code === error.code)
}
