import { Readable } from 'node:stream'
import type { StoredVariant } from '../db/tables/media.ts'
import type { Harness } from './harness.ts'

export type StoredFile = { name: string; mime: string; body: Buffer; width?: number; height?: number }

/** Puts these files in the place of an item's own, below a prefix that its id does not tell; returns the prefix's id. */
export async function storeFiles(harness: Harness, mediaId: string, files: StoredFile[]): Promise<string> {
  const { db, storage } = harness.context
  const storage_id = crypto.randomUUID()
  const variants: StoredVariant[] = []
  for (const { name, mime, body, width = 640, height = 480 } of files) {
    await storage.put(`media/${storage_id}/${name}`, Readable.from([body]), { maxBytes: body.length })
    variants.push({ name, mime, width, height, bytes: body.length })
  }
  await db
    .updateTable('media')
    .set({ storage_id, variants: JSON.stringify(variants) })
    .where('id', '=', mediaId)
    .execute()
  return storage_id
}

const PLAYLIST = 'application/vnd.apple.mpegurl'

/** A video that streams in one quality: playlists, their one file, the whole video and its poster, both ways. */
export function streamedVideo(mark: string): StoredFile[] {
  const main = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720\nhls-720.m3u8\n'
  const quality = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:6',
    '#EXT-X-MAP:URI="hls-720.mp4",BYTERANGE="10@0"',
    '#EXTINF:6.0,',
    '#EXT-X-BYTERANGE:20@10',
    'hls-720.mp4',
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
  return [
    {
      name: 'hls-720.mp4',
      mime: 'video/mp4',
      body: Buffer.from(`${mark} segments of the stream, in one file`),
    },
    { name: 'video.mp4', mime: 'video/mp4', body: Buffer.from(`${mark} the whole video`) },
    { name: 'hls.m3u8', mime: PLAYLIST, body: Buffer.from(main) },
    { name: 'hls-720.m3u8', mime: PLAYLIST, body: Buffer.from(quality) },
    { name: 'poster-w640.avif', mime: 'image/avif', body: Buffer.from(`${mark} poster as AVIF`) },
    { name: 'poster-w640.webp', mime: 'image/webp', body: Buffer.from(`${mark} poster as WebP`) },
  ]
}
