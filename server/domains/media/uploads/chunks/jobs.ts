import { Readable } from 'node:stream'
import type { Context } from '../../../../context.ts'
import type { Storage } from '../../../../ports/storage/port.ts'
import { chunkKey, chunksPrefix, sourceKey } from '../rules.ts'
import { noteAssembled } from './actions.ts'
import { listChunks } from './data.ts'

/** A part of an upload is not in the store, which answers. */
export class ChunkLost extends Error {}

/**
 * Puts an upload that came in chunks, or in ranges, together to one object, piece by piece, and removes them. Safe to
 * run again after a crash at any point; does nothing for an upload that came in one piece. Throws `ChunkLost`.
 */
export async function assembleChunks(
  context: Context,
  upload: { id: string; bytes: number | null },
): Promise<void> {
  const { db, storage } = context
  // The result is recorded before the chunks are deleted; until then all of them are there.
  if (upload.bytes === null) {
    const chunks = await listChunks(db, upload.id)
    const maxBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
    const body = Readable.from(chunksInOrder(storage, upload.id, chunks), { objectMode: false })
    await noteAssembled(db, upload.id, await storage.put(sourceKey(upload.id, null), body, { maxBytes }))
  }
  await storage.removeAll(chunksPrefix(upload.id))
}

async function* chunksInOrder(
  storage: Storage,
  uploadId: string,
  chunks: { number: number }[],
): AsyncGenerator<Buffer> {
  for (const { number } of chunks) {
    const chunk = await storage.read(chunkKey(uploadId, number))
    if (!chunk) throw new ChunkLost(`chunk ${number} of upload ${uploadId} is not in the store`)
    yield* chunk
  }
}
