import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { UploadedFiles } from '../../../handler.ts'
import { TooManyWaiting } from '../../../ports/video/port.ts'
import type { Viewer } from '../../../viewer.ts'
import { type Details, updateDetails } from '../../identity/account/actions.ts'
import { claimsCreatorFields, PICTURES, type PictureField } from './rules.ts'

export type ProfileEdit = Details & {
  bio?: string | undefined
  menu?: string | undefined
  limits?: string | undefined
  links?: { text: string; link: string }[] | undefined
}

type NewPictures = Partial<Record<PictureField, string>>

/** About as long as a crop that waits first in line. */
const BUSY_RETRY_SECONDS = 5

const keyOf = (userId: string, name: string) => `profile/${userId}/${name}`

/**
 * Changes a person's own profile; what is not sent stays. Pictures are prepared first, with no transaction open; a
 * refused edit leaves none behind, and the replaced ones go after the commit. Returns whether the email address is
 * confirmed. Throws `creators_only`, `profile_taken`, `rate_limited` while too many pictures wait, and what the pictures are refused for.
 */
export async function editProfile(
  context: Context,
  viewer: Viewer,
  { edit, files, now }: { edit: ProfileEdit; files: UploadedFiles; now: Date },
): Promise<boolean> {
  if (claimsCreatorFields(viewer.isCreator, edit)) throw new AppError('creators_only')
  const pictures = await storePictures(context, viewer.id, files)
  try {
    const { verified, replaced } = await context.db.transaction().execute(async (db) => {
      const verified = await updateDetails(db, {
        userId: viewer.id,
        sessionId: viewer.sessionId,
        details: edit,
        now,
      })
      return { verified, replaced: await writeProfile(db, viewer, edit, pictures) }
    })
    await removePictures(context, viewer.id, replaced)
    return verified
  } catch (error) {
    await removePictures(context, viewer.id, Object.values(pictures))
    throw error
  }
}

/** Returns the names of the pictures that were replaced. */
async function writeProfile(
  db: Tx,
  viewer: Viewer,
  edit: ProfileEdit,
  pictures: NewPictures,
): Promise<string[]> {
  const { bio, menu, limits, links } = edit
  const before = await db
    .selectFrom('profiles')
    .select(['profile_image', 'profile_hero_image'])
    .where('user_id', '=', viewer.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const changed = Object.entries(PICTURES).filter(([field]) => pictures[field as PictureField])
  const changes = {
    ...(bio === undefined ? {} : { bio }),
    ...(menu === undefined || !viewer.isCreator ? {} : { menu }),
    ...(limits === undefined || !viewer.isCreator ? {} : { limits }),
    ...(links === undefined
      ? {}
      : { links: JSON.stringify(links.map(({ text, link }) => ({ _id: randomUUID(), text, link }))) }),
    ...Object.fromEntries(changed.map(([field, { column }]) => [column, pictures[field as PictureField]])),
  }
  if (Object.keys(changes).length === 0) return []
  await db.updateTable('profiles').set(changes).where('user_id', '=', viewer.id).execute()
  return changed.flatMap(([, { column }]) => before[column] ?? [])
}

/** People whose pictures are being cropped now: one edit each, so that nobody fills the queue. */
const cutting = new Set<string>()

/** Cuts and stores what was sent, each under a name of its own, so that its address never shows another picture. */
async function storePictures(context: Context, userId: string, files: UploadedFiles): Promise<NewPictures> {
  const stored: NewPictures = {}
  if (files.size === 0) return stored
  if (cutting.has(userId)) throw new AppError('rate_limited', { retryAfterSeconds: BUSY_RETRY_SECONDS })
  cutting.add(userId)
  try {
    for (const field of Object.keys(PICTURES) as PictureField[]) {
      const bytes = files.get(field)
      if (bytes) stored[field] = await storePicture(context, userId, field, bytes)
    }
    return stored
  } catch (error) {
    await removePictures(context, userId, Object.values(stored))
    throw error
  } finally {
    cutting.delete(userId)
  }
}

async function storePicture(
  context: Context,
  userId: string,
  field: PictureField,
  bytes: Buffer,
): Promise<string> {
  const id = randomUUID()
  const name = `${id}.webp`
  const workspace = resolve(context.config.DATA_DIR, 'processing', id)
  const outDir = join(workspace, 'out')
  const { width, height } = PICTURES[field]
  await mkdir(outDir, { recursive: true })
  try {
    const path = join(workspace, 'source')
    await writeFile(path, bytes)
    const outcome = await context.processor
      .crop({ path, outDir, name, width, height })
      .catch((error: unknown) => {
        if (!(error instanceof TooManyWaiting)) throw error
        throw new AppError('rate_limited', { retryAfterSeconds: BUSY_RETRY_SECONDS })
      })
    if (!outcome.ok) throw new AppError(outcome.refusal)
    await context.storage.putFile(keyOf(userId, name), outcome.path)
    return name
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

async function removePictures(context: Context, userId: string, names: string[]): Promise<void> {
  for (const name of names) await context.storage.remove(keyOf(userId, name))
}

/** Sets whether this creator's media that aren't free carry the viewer's name, from the next view on. */
export async function setWatermark(db: Tx, creatorId: string, enabled: boolean): Promise<void> {
  await db.updateTable('profiles').set({ watermark: enabled }).where('user_id', '=', creatorId).execute()
}
