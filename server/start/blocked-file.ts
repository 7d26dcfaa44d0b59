import { z } from 'zod'
import { Reason } from '../../contract/schemas.ts'
import type { Db } from '../db/client.ts'
import { unblockFile } from '../domains/media/quarantine/blocked/actions.ts'
import { listBlocks } from '../domains/media/quarantine/blocked/data.ts'

const Options = z.object({
  sha256: z
    .string('Add --sha256.')
    .trim()
    .toLowerCase()
    // A line of `sha256sum` goes on with the file's name, and begins with a backslash where that holds one.
    .regex(/^\\?[0-9a-f]{64}(\s.*)?$/s, '--sha256 must be 64 characters, 0-9 and a-f.')
    .transform((line) => line.replace('\\', '').slice(0, 64)),
  reason: Reason.optional(),
})

/**
 * Says what a file is blocked for, as the file of an item whose creator was erased can't be found on the site anymore;
 * with a reason it ends the blocks.
 */
export async function blockedFile(
  db: Db,
  options: { sha256?: string; reason?: string },
  now: Date,
): Promise<{ ok: boolean; output: string }> {
  const parsed = Options.safeParse(options)
  if (!parsed.success) return { ok: false, output: parsed.error.issues[0]?.message ?? '' }
  const { sha256, reason } = parsed.data
  const blocks = await listBlocks(db, sha256)
  if (blocks.length === 0) return { ok: true, output: 'This file isn’t blocked.' }
  const lines = blocks.map(({ mediaId, ground, blockedAt, existing }) => {
    const item = existing === null ? `${mediaId}, which was erased` : `/media/${mediaId}`
    return `Blocked ${blockedAt.toISOString().slice(0, 10)} (${ground}) for ${item}.`
  })
  if (reason === undefined) return { ok: true, output: [...lines, 'Add --reason to end this.'].join('\n') }
  await db.transaction().execute((transaction) => unblockFile(transaction, { sha256, reason, now }))
  return { ok: true, output: [...lines, 'It can be uploaded again.'].join('\n') }
}
