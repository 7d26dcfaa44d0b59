import { Readable } from 'node:stream'
import { vi } from 'vitest'
import type { Tx } from '../db/client.ts'
import type { StoredVariant } from '../db/tables/media.ts'
import { publishUpload } from '../domains/media/uploads/publishing/actions.ts'
import type { Harness } from './harness.ts'
import { waitingForLocks } from './locks.ts'

export type StoredFile = { name: string; mime: string; body: Buffer; width?: number; height?: number }

/**
 * Puts these files in the place of an item's own, below the prefix of this id: by itself one that the item's does not tell, as of
 * a later version. Returns the id.
 */
export async function storeFiles(
  harness: Harness,
  mediaId: string,
  files: StoredFile[],
  storage_id: string = crypto.randomUUID(),
): Promise<string> {
  const { db, storage } = harness.context
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

/** Gives an item another file, as a finished replacement does; its bytes are `mark`. */
export async function replaceFile(harness: Harness, mediaId: string, mark: string): Promise<void> {
  const publish = await storeReplacement(harness, mediaId, mark)
  await publish()
}

/** Stores another file for an item; the result makes it the item's. */
async function storeReplacement(harness: Harness, mediaId: string, mark: string) {
  const { db, storage, clock } = harness.context
  const { creator_id, type, variants } = await db
    .selectFrom('media')
    .select(['creator_id', 'type', 'variants'])
    .where('id', '=', mediaId)
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const { id } = await db
    .insertInto('uploads')
    .values({
      owner_id: creator_id,
      replaces_media_id: mediaId,
      file_name: 'another.png',
      status: 'processing',
      created_at: now,
      updated_at: now,
      expires_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { name } of variants)
    await storage.put(`media/${id}/${name}`, Readable.from([Buffer.from(mark)]), { maxBytes: 1024 })
  const file = {
    type,
    width: 640,
    height: 480,
    durationSeconds: type === 'video' ? 65 : null,
    damaged: false,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    variants: variants.map((variant) => ({ ...variant, path: '', bytes: mark.length })),
  }
  return () => publishUpload(db, id, file, clock.now())
}

/**
 * Replaces an item's file after `send` read it and before `send` stored it: in between `send` waits for what `hold` locks.
 * Both are done at the end.
 */
export async function replaceMeanwhile(
  harness: Harness,
  mediaId: string,
  { hold, send }: { hold: (tx: Tx) => Promise<unknown>; send: () => Promise<unknown> },
): Promise<void> {
  const { db } = harness.context
  const publish = await storeReplacement(harness, mediaId, 'another file')
  const waiting = (holds: (count: number) => boolean) =>
    vi.waitUntil(async () => holds(await waitingForLocks(db)), { timeout: 60_000, interval: 10 })
  const both: Promise<unknown>[] = []
  await db.transaction().execute(async (tx) => {
    await hold(tx)
    both.push(send())
    await waiting((count) => count === 1)
    let isReplaced = false
    both.push(
      publish().finally(() => {
        isReplaced = true
      }),
    )
    await waiting((count) => isReplaced || count === 2)
  })
  await Promise.all(both)
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
