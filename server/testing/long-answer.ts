import { Readable } from 'node:stream'
import { routes } from '../../contract/index.ts'
import type { Api } from './api.ts'
import type { Harness } from './harness.ts'

const MIB = 1024 * 1024
const BYTES = 64 * MIB
const PAUSE_MS = 20

/**
 * Makes an item a video of 64 MiB and begins to download it. `rest` reads on as slowly as a player that has enough for
 * now, so that what is cut off was not sent yet; it throws where the answer breaks off before its end.
 */
export async function beginLongAnswer(
  harness: Harness,
  api: Api,
  mediaId: string,
): Promise<{ rest(): Promise<void> }> {
  const { db, storage } = harness.context
  const zeros = Readable.from(Array.from({ length: BYTES / MIB }, () => Buffer.alloc(MIB)))
  await storage.put(`media/${mediaId}/video.mp4`, zeros, { maxBytes: BYTES })
  const video = { name: 'video.mp4', mime: 'video/mp4', width: 640, height: 480, bytes: BYTES }
  await db
    .updateTable('media')
    .set({ type: 'video', variants: JSON.stringify([video]) })
    .where('id', '=', mediaId)
    .execute()
  const { url } = await api.call(routes.media, { params: { mediaId } })
  const reader = (await api.fetch(url ?? '')).body?.getReader()
  if (!reader) throw new Error('nothing was answered')
  await reader.read()
  return {
    async rest() {
      while (!(await reader.read()).done) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    },
  }
}
