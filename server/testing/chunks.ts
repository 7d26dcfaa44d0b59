import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { CHUNK_BYTES } from '../../contract/constants.ts'
import type { Harness } from './harness.ts'

/** Bytes of one comment in a JPEG file with its marker: the most there can be. */
const COMMENT_BYTES = 0x10001

/** A small picture (60 by 40) of three and a half chunks: comments make it heavy, and each is another. */
export async function heavyPicture(): Promise<Buffer> {
  const small = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c65' } })
    .jpeg()
    .toBuffer()
  const comments = Array.from({ length: 56 }, (_, index) => {
    const comment = Buffer.alloc(COMMENT_BYTES, index)
    comment.writeUInt32BE(0xfffeffff)
    return comment
  })
  return Buffer.concat([small.subarray(0, 2), ...comments, small.subarray(2)])
}

type ChunkAnswer = {
  status: number
  body: { code?: string; error?: string; uploadId: string; status: string; chunks: number[] }
}
type ChunkFields = { name: string; chunk_number: number; total_chunks: number; uploadId?: string }

/** Sends one chunk as a form, which clients other than ours do (docs/product.md, Media). */
export async function sendChunk(
  harness: Harness,
  person: { token: string } | null,
  fields: ChunkFields,
  bytes: Buffer | null,
): Promise<ChunkAnswer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (bytes) form.append('file', new Blob([new Uint8Array(bytes)]), 'blob')
  const response = await fetch(`${harness.origin}/api/media/uploadsingle`, {
    method: 'POST',
    headers: person ? { authorization: `Bearer ${person.token}` } : {},
    body: form,
  })
  return { status: response.status, body: (await response.json()) as ChunkAnswer['body'] }
}

/** A name that no other file of this run has. */
export const freshFileName = () => `${randomUUID()}.jpg`

/** A file of a person, and how to send its chunks; `other` in place of a chunk's own bytes. */
export function chunkedFile(
  harness: Harness,
  person: { token: string },
  bytes: Buffer,
  name = freshFileName(),
) {
  const total_chunks = Math.ceil(bytes.length / CHUNK_BYTES)
  const chunkOf = (number: number) => bytes.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES)
  return {
    name,
    total_chunks,
    send: (chunk_number: number, uploadId?: string, other?: Buffer) =>
      sendChunk(
        harness,
        person,
        { name, chunk_number, total_chunks, ...(uploadId ? { uploadId } : {}) },
        other ?? chunkOf(chunk_number),
      ),
  }
}

/** The numbers of the chunks that are counted for an upload. */
export async function countedChunks(harness: Harness, uploadId: string): Promise<number[]> {
  const rows = await harness.context.db
    .selectFrom('upload_chunks')
    .select('number')
    .where('upload_id', '=', uploadId)
    .orderBy('number')
    .execute()
  return rows.map(({ number }) => number)
}

export const uploadsNamed = (harness: Harness, name: string) =>
  harness.context.db.selectFrom('uploads').selectAll().where('file_name', '=', name).execute()

/** Whether the store has this object, or anything below this prefix. */
export const isStored = (harness: Harness, path: string): boolean =>
  existsSync(join(harness.context.config.DATA_DIR, 'media', path))
