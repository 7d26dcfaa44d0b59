import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { findVersion } from './data.ts'
import { sourceOf } from './rules.ts'

const FILE = 'copy.mp4'

/** Where the copy of a video with a name on it lies: among the item's files, with which it goes. */
export function videoCopyKey(storageId: string, name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16)
  return `media/${storageId}/copy-${digest}.mp4`
}

/** Makes the copy of a video with a name on it. Safe to run again, and beside a deletion. */
export async function makeVideoCopy(
  context: Context,
  { versionId, name }: { versionId: string; name: string },
): Promise<void> {
  const { db, storage, processor, config } = context
  const version = await findVersion(db, versionId)
  const video = version && sourceOf('video', version.variants)
  if (!version || !video) return
  const key = videoCopyKey(version.storage_id, name)
  if ((await storage.size(key)) !== null) return
  const file = await storage.localPath(`media/${version.storage_id}/${video.name}`)
  if (!file) return
  const outDir = resolve(config.DATA_DIR, 'processing', key.replaceAll(/[/.]/g, '-'))
  try {
    await rm(outDir, { recursive: true, force: true })
    await mkdir(outDir, { recursive: true })
    const made = await processor.copyVideo({ path: file.path, outDir, name: FILE, text: `u/${name}` })
    if (!made.ok) throw new Error(`no copy of a video could be made: ${made.refusal}`)
    await storage.putFile(key, made.path)
    // Its item may have been deleted meanwhile, with all files that were there by then.
    if (!(await findVersion(db, versionId))) await storage.remove(key)
  } finally {
    await file.release()
    await rm(outDir, { recursive: true, force: true })
  }
}
