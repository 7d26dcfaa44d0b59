import { Readable } from 'node:stream'
import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import type { Context } from '../../../../context.ts'
import type { Storage } from '../../../../ports/storage/port.ts'
import { chunkKey, chunksPrefix, sourceKey } from '../rules.ts'
import { noteAssembled } from './actions.ts'

/**
 * Puts the chunks of a complete upload together to one object, piece by piece, and removes them. Safe to run again
 * after a crash at any point; does nothing for an upload that came in one piece.
 */
export async function assembleChunks(
  context: Context,
  upload: { id: string; total_chunks: number | null; bytes: number | null },
): Promise<void> {
  const { db, storage } = context
  const { id, total_chunks: total } = upload
  if (total === null) return
  // What it came to is noted before the chunks go: until then they are all there.
  if (upload.bytes === null) {
    const body = Readable.from(chunksInOrder(storage, id, total), { objectMode: false })
    await noteAssembled(db, id, await storage.put(sourceKey(id), body, { maxBytes: total * CHUNK_BYTES }))
  }
  await storage.removeAll(chunksPrefix(id))
}

async function* chunksInOrder(storage: Storage, uploadId: string, total: number): AsyncGenerator<Buffer> {
  for (let number = 0; number < total; number++) {
    const chunk = await storage.read(chunkKey(uploadId, number))
    if (!chunk) throw new Error(`chunk ${number} of upload ${uploadId} is not in the store`)
    yield* chunk
  }
}
