import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Muxer } from 'node-av'
import type { Variant } from '../port.ts'
import type { Quality } from './quality.ts'

/** Videos longer than this many seconds are streamed; shorter ones are there before a choice could be made. */
export const streamedFromSeconds = 30

const segmentSeconds = 6
const playlistMime = 'application/vnd.apple.mpegurl'

/**
 * Opens the writer of one quality: segments of about six seconds in `hls-<lines>.mp4`, one file read by byte ranges,
 * and their playlist (RFC 8216) `hls-<lines>.m3u8`. Both lie in `outDir`; nothing else is opened.
 */
export function openPlaylist(quality: Quality, outDir: string): Promise<Muxer> {
  return Muxer.open(join(outDir, `hls-${quality.lines}.m3u8`), {
    format: 'hls',
    options: {
      hls_time: segmentSeconds,
      hls_playlist_type: 'vod',
      hls_segment_type: 'fmp4',
      hls_flags: 'single_file+independent_segments',
      hls_segment_filename: join(outDir, `hls-${quality.lines}.mp4`),
      protocol_whitelist: 'file',
    },
  })
}

/**
 * Writes the master playlist `hls.m3u8` over finished qualities in `outDir`, smallest first; its addresses are names
 * of neighbors. Answers the variants of the whole stream: that playlist first, then playlist and segments of each.
 */
export async function finishStream(qualities: readonly Quality[], outDir: string): Promise<Variant[]> {
  const parts: Variant[] = []
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const largest = qualities[0]
  if (!largest) throw new Error('a stream has no quality')
  const variant = async (name: string, mime: string, { width, height }: Quality): Promise<Variant> => {
    const path = join(outDir, name)
    return { name, path, mime, width, height, bytes: (await stat(path)).size }
  }
  for (const quality of qualities.toReversed()) {
    const name = `hls-${quality.lines}`
    const playlist = await readFile(join(outDir, `${name}.m3u8`), 'utf8')
    const { peak, average } = bandwidthOf(playlist)
    const codecs = codecsOf(await readInit(join(outDir, `${name}.mp4`), playlist))
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average},RESOLUTION=${quality.width}x${quality.height},CODECS="${codecs}"`,
      `${name}.m3u8`,
    )
    parts.push(await variant(`${name}.m3u8`, playlistMime, quality))
    parts.push(await variant(`${name}.mp4`, 'video/mp4', quality))
  }
  await writeFile(join(outDir, 'hls.m3u8'), `${lines.join('\n')}\n`)
  return [await variant('hls.m3u8', playlistMime, largest), ...parts]
}

/** Bits a second of a playlist's heaviest segment, and of all together. */
function bandwidthOf(playlist: string): { peak: number; average: number } {
  const segments = playlist.matchAll(/^#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@/gm)
  const loads = [...segments].map(([, seconds, bytes]) => ({
    seconds: Number(seconds),
    bits: 8 * Number(bytes),
  }))
  const sum = (key: 'seconds' | 'bits') => loads.reduce((total, load) => total + load[key], 0)
  return {
    peak: Math.ceil(Math.max(...loads.map(({ seconds, bits }) => bits / seconds))),
    average: Math.ceil(sum('bits') / sum('seconds')),
  }
}

/** The bytes in front of the first segment, which describe the tracks. */
async function readInit(path: string, playlist: string): Promise<Buffer> {
  const length = Number(/^#EXT-X-MAP:.*BYTERANGE="(\d+)@0"/m.exec(playlist)?.[1])
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, 0)
  return buffer
}

/** Names of the codecs (RFC 6381): profile and level of H.264 are bytes 1 to 3 of its configuration record. */
function codecsOf(init: Buffer): string {
  const record = init.indexOf('avcC', 0, 'latin1') + 5
  const video = `avc1.${init.subarray(record, record + 3).toString('hex')}`
  return init.includes('mp4a', 0, 'latin1') ? `${video},mp4a.40.2` : video
}
