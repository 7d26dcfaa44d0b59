import {
  AV_DISPOSITION_ATTACHED_PIC,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  Demuxer,
  type Stream,
} from 'node-av'
import { Refused } from './refused.ts'

/** What cameras, phones and editors write into MP4 and MOV. Rare decoders are where the holes are. */
const codecs =
  'h264,hevc,libdav1d,av1,vp9,mpeg4,h263,prores,mjpeg,apng,png,webp,aac,alac,mp3float,mp3,ac3,eac3,libopus,opus,amrnb,amrwb,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_f32le'

export type Source = { demuxer: Demuxer; video: Stream; audio: Stream | null }

/**
 * Opens a local file as exactly the format it was inspected to be: no other demuxer, protocol or file is reachable
 * from it. `close` the demuxer. Refuses a file without a moving picture or with sound of an unknown kind.
 */
export async function openSource(path: string, format: 'apng' | 'mov' | 'webp_anim'): Promise<Source> {
  const demuxer = await open(path, format)
  const video = demuxer.streams.find(
    (stream) =>
      stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  )
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

async function open(path: string, format: 'apng' | 'mov' | 'webp_anim'): Promise<Demuxer> {
  try {
    return await Demuxer.open(path, {
      format,
      options: {
        protocol_whitelist: 'file',
        format_whitelist: 'mov,mp4,m4a,3gp,3g2,mj2,apng,webp_anim',
        codec_whitelist: codecs,
        max_streams: 32,
      },
    })
  } catch (error) {
    throw new Refused('media_unreadable', error)
  }
}
