import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { rolesWith } from '../../../contract/permissions.ts'
import { type Context, HOW_TO_VIDEO_KEY } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import type { StoredVideo } from '../../handler.ts'
import type { Storage } from '../../ports/storage/port.ts'

/** Whom tips for the operator go to: who is named, else the first operator who may take them. */
export async function findDonee(db: Db, username: string | undefined): Promise<string | null> {
  let people = db.selectFrom('users').select('id').where('hidden_at', 'is', null)
  if (username) people = people.where(sql`lower(username)`, '=', username.toLowerCase())
  else people = people.where('role', 'in', rolesWith('tips.receive'))
  const row = await people.orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  return row?.id ?? null
}

const PATH = '/how-to-video.mp4'
/** The first start makes the sample's video, maybe in another process, while this one already answers. */
const ASK_AGAIN_MS = 60_000

/** The address of the how-to page's video: the setting's own, or ours for a file; null when there is none. */
export async function howToVideoAddress(context: Context): Promise<string | null> {
  const setting = context.config.HOW_TO_VIDEO
  if (setting) return setting.startsWith('https://') ? setting : PATH
  return (await sampleBytes(context)) === null ? null : PATH
}

/** The video that the setting names as a file, else the sample's own; null where there is none. */
export async function findHowToVideo(context: Context): Promise<StoredVideo | null> {
  const path = context.config.HOW_TO_VIDEO
  if (path) {
    const file = await stat(path).catch(() => null)
    return file?.isFile() ? { bytes: file.size, open: async (range) => createReadStream(path, range) } : null
  }
  const bytes = await sampleBytes(context)
  return bytes === null ? null : { bytes, open: (range) => context.storage.read(HOW_TO_VIDEO_KEY, range) }
}

type Known = { bytes: Promise<number | null>; askedAt: number }
const known = new WeakMap<Storage, Known>()

/** The size of the sample's video in the store, which is asked once; while it is not there, once a minute. */
async function sampleBytes({ storage, clock, log }: Context): Promise<number | null> {
  const now = clock.now().getTime()
  const last = known.get(storage)
  if (last && ((await last.bytes) !== null || now - last.askedAt < ASK_AGAIN_MS)) return last.bytes
  const bytes = storage.size(HOW_TO_VIDEO_KEY).catch((error: unknown) => {
    log.warn({ err: error }, 'the store did not say whether it has the how-to video')
    return null
  })
  known.set(storage, { bytes, askedAt: now })
  return bytes
}
