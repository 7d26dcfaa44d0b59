import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_LOG_QUIET,
  AV_PIX_FMT_RGB24,
  AV_SAMPLE_FMT_FLT,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBOPUS,
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBX264,
  FilterAPI,
  Frame,
  Log,
  Muxer,
  Rational,
} from 'node-av'
import sharp from 'sharp'
import { drawScene, type Scene } from '../../server/sample/artwork.ts'

export type Video = {
  format: 'mp4' | 'mov' | 'webm'
  scene: Scene
  seed: number
  width: number
  height: number
  seconds: number
  /** Pictures a second. */
  rate?: number
  sound?: boolean
}

const SAMPLES = 1024
const SAMPLE_RATE = 48_000
Log.setLevel(AV_LOG_QUIET)

/** Records a camera that glides over a drawn scene, with a soft tone when it has sound, into that file. */
export async function recordVideo(path: string, recording: Video): Promise<void> {
  await using muxer = await Muxer.open(path, { format: recording.format })
  using video = await (recording.format === 'webm'
    ? Encoder.create(FF_ENCODER_LIBVPX_VP8, { options: { deadline: 'realtime', 'cpu-used': 8 } })
    : Encoder.create(FF_ENCODER_LIBX264, { options: { preset: 'ultrafast' }, context: { maxBFrames: 0 } }))
  using filter = FilterAPI.create('format=yuv420p')
  const videoIndex = muxer.addStream(video)
  const codec = recording.format === 'webm' ? FF_ENCODER_LIBOPUS : FF_ENCODER_AAC
  using audio = recording.sound ? await Encoder.create(codec, { autoResample: true }) : null
  const audioIndex = audio ? muxer.addStream(audio) : -1
  for await (const packet of video.packets(filter.frames(pictures(recording)))) {
    using held = packet
    await muxer.writePacket(held, videoIndex)
  }
  if (!audio) return
  for await (const packet of audio.packets(tone(recording.seconds))) {
    using held = packet
    await muxer.writePacket(held, audioIndex)
  }
}

async function* pictures({ scene, seed, width, height, seconds, rate = 10 }: Video) {
  const count = Math.round(seconds * rate)
  // Wider than what is seen, by what the camera glides.
  const wide = Math.round(width * 1.25)
  const { data } = await sharp(Buffer.from(drawScene(scene, seed, wide, height)))
    .resize(wide, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const ticks = 600
  for (let index = 0; index < count; index++) {
    const left = Math.round(((wide - width) * index) / count)
    const pixels = Buffer.alloc(width * height * 3)
    for (let row = 0; row < height; row++)
      data.copy(pixels, row * width * 3, (row * wide + left) * 3, (row * wide + left + width) * 3)
    const frame = Frame.fromVideoBuffer(pixels, {
      width,
      height,
      format: AV_PIX_FMT_RGB24,
      pts: BigInt(Math.round((index / rate) * ticks)),
      timeBase: new Rational(1, ticks),
    })
    frame.duration = BigInt(Math.round(ticks / rate))
    yield frame
  }
  yield null
}

async function* tone(seconds: number) {
  for (let start = 0; start < seconds * SAMPLE_RATE; start += SAMPLES) {
    const values = new Float32Array(SAMPLES * 2).map(
      (_, index) => 0.1 * Math.sin((start + Math.floor(index / 2)) / 35),
    )
    yield Frame.fromAudioBuffer(Buffer.from(values.buffer), {
      nbSamples: SAMPLES,
      format: AV_SAMPLE_FMT_FLT,
      sampleRate: SAMPLE_RATE,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      pts: BigInt(start),
      timeBase: new Rational(1, SAMPLE_RATE),
    })
  }
  yield null
}
