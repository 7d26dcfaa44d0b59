import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Demuxer } from 'node-av'
import { describe, expect, test } from 'vitest'
import { corners, readCorners } from './testing/pictures.ts'
import { everyFrame, playVideo, recordVideo } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const seconds = 32
const frames = seconds * 5

type Segment = { seconds: number; bytes: number; from: number }

/** The segments of a media playlist whose every line is of a kind that is expected. */
function segmentsOf(playlist: string, file: string): Segment[] {
  const known =
    /^#EXT(M3U|-X-(VERSION|TARGETDURATION|MEDIA-SEQUENCE|PLAYLIST-TYPE|INDEPENDENT-SEGMENTS|ENDLIST|MAP))/
  const segments: Segment[] = []
  let duration = 0
  let range: [number, number] = [0, 0]
  for (const line of playlist.trim().split('\n')) {
    if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8))
    else if (line.startsWith('#EXT-X-BYTERANGE:'))
      range = line.slice(17).split('@').map(Number) as [number, number]
    else if (line === file) segments.push({ seconds: duration, bytes: range[0], from: range[1] })
    else expect(line).toMatch(known)
  }
  return segments
}

/** Times in seconds of a file's keyframes. */
async function keyframes(path: string): Promise<number[]> {
  await using demuxer = await Demuxer.open(path)
  const video = demuxer.video()
  const times: number[] = []
  for await (const packet of demuxer.packets(video?.index)) {
    using held = packet
    if (held?.isKeyframe) times.push((Number(held.pts) * held.timeBase.num) / held.timeBase.den)
  }
  return times
}

describe('a video longer than 30 seconds', () => {
  test('is streamed in its own size and a smaller one, beside the whole file, without its metadata', async () => {
    const path = await recordVideo(bench.folder(), 'long.mov', {
      format: 'mov',
      width: 960,
      height: 540,
      times: everyFrame(frames, 5),
      sound: { start: 0, seconds },
      metadata: {
        'com.apple.quicktime.location.ISO6709': '+51.5090-000.1213/',
        make: 'CANARY-MAKE',
        artist: 'CANARY-OWNER',
        creation_time: '2024-05-06T07:08:09.000000Z',
      },
    })
    const { outcome, outDir, progress } = await bench.process(path)
    if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`)
    const { variants, durationSeconds } = outcome.media
    expect(durationSeconds).toBe(seconds)
    expect(variants.map(({ name, mime }) => `${name} ${mime}`)).toEqual([
      'video.mp4 video/mp4',
      'poster-w640.avif image/avif',
      'poster-w640.webp image/webp',
      'poster-w960.avif image/avif',
      'poster-w960.webp image/webp',
      'hls.m3u8 application/vnd.apple.mpegurl',
      'hls-360.m3u8 application/vnd.apple.mpegurl',
      'hls-360.mp4 video/mp4',
      'hls-540.m3u8 application/vnd.apple.mpegurl',
      'hls-540.mp4 video/mp4',
    ])
    for (const variant of variants) {
      const bytes = await readFile(variant.path)
      expect(bytes.length).toBe(variant.bytes)
      for (const canary of ['CANARY', '51.509', 'ISO6709', '2024-05', dirname(outDir), 'Exif'])
        expect(bytes.includes(canary), `${canary} in ${variant.name}`).toBe(false)
    }
    expect(progress).toEqual([...progress].sort((a, b) => a - b))

    const master = (await readFile(join(outDir, 'hls.m3u8'), 'utf8')).trim().split('\n')
    const own = segmentsOf(await readFile(join(outDir, 'hls-540.m3u8'), 'utf8'), 'hls-540.mp4')
    const small = segmentsOf(await readFile(join(outDir, 'hls-360.m3u8'), 'utf8'), 'hls-360.mp4')
    const told = (segments: Segment[]) => {
      const bits = segments.reduce((sum, { bytes }) => sum + 8 * bytes, 0)
      const peak = Math.max(...segments.map((segment) => (8 * segment.bytes) / segment.seconds))
      const length = segments.reduce((sum, segment) => sum + segment.seconds, 0)
      return `BANDWIDTH=${Math.ceil(peak)},AVERAGE-BANDWIDTH=${Math.ceil(bits / length)}`
    }
    expect(master).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      `#EXT-X-STREAM-INF:${told(small)},RESOLUTION=640x360,CODECS="avc1.640016,mp4a.40.2"`,
      'hls-360.m3u8',
      `#EXT-X-STREAM-INF:${told(own)},RESOLUTION=960x540,CODECS="avc1.64001f,mp4a.40.2"`,
      'hls-540.m3u8',
    ])

    // A player may change the quality at every segment: they begin at the same times, each with a keyframe.
    expect(own.map((segment) => segment.seconds)).toEqual(small.map((segment) => segment.seconds))
    expect(own.length).toBe(6)
    for (const [name, segments] of [
      ['hls-540', own],
      ['hls-360', small],
    ] as const) {
      const bytes = await readFile(join(outDir, `${name}.mp4`))
      let end = segments[0]?.from ?? 0
      expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
      for (const segment of segments) {
        expect(segment.from).toBe(end)
        expect(segment.seconds).toBeLessThan(7)
        expect(bytes.subarray(segment.from + 4, segment.from + 8).toString()).toMatch(/moof|styp|sidx/)
        end += segment.bytes
      }
      expect((await stat(join(outDir, `${name}.mp4`))).size).toBeGreaterThanOrEqual(end)
      const played = await playVideo(join(outDir, `${name}.m3u8`))
      expect(played.frames).toBe(frames)
      const { data, width, height } = played.first
      expect(`${width}x${height}`).toBe(name === 'hls-540' ? '960x540' : '640x360')
      expect(readCorners(data, width, height, 3)).toEqual(corners)
    }
    const starts = await keyframes(join(outDir, 'hls-540.m3u8'))
    expect(starts).toEqual(await keyframes(join(outDir, 'hls-360.m3u8')))
    expect(starts.map((time) => Math.round(time - (starts[0] ?? 0)))).toEqual(
      Array.from({ length: seconds / 2 }, (_, index) => 2 * index),
    )
  })

  test('is one only by its real length, whatever its header leaves out', async () => {
    const path = await recordVideo(bench.folder(), 'untold.mp4', {
      format: 'mp4',
      width: 160,
      height: 120,
      times: everyFrame(20, 10),
      fragmented: true,
    })
    const { outcome, files } = await bench.process(path)
    expect(outcome).toMatchObject({ ok: true, media: { durationSeconds: 2 } })
    expect(files).toEqual(['poster-w160.avif', 'poster-w160.webp', 'video.mp4'])
  })
})
