import {
  MAX_SHARED_CODE_INVITATIONS,
  MAX_SHARED_CODE_PARTICIPANTS,
  MAX_SHARED_CODES,
} from '../../../../contract/constants.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { newReferralCode } from '../../identity/account/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { isReachable, isShown } from '../data.ts'
import { countSharedCodes, findParticipants, type Viewer } from './data.ts'
import { changeOf } from './rules.ts'

/** Longer than a person's own code, so that no code is ever both. */
const CODE_LENGTH = 10

type Editor = Viewer & { username: string }
type Fields = { title: string; participantIds: string[]; now: Date }

/**
 * Makes a code whose first participant is who makes it, and invites the others. Returns its id. Throws
 * `user_not_found`, `shared_code_full`, `too_many_shared_codes` and `too_many_invitations`.
 */
export async function createSharedCode(
  db: Tx,
  editor: Editor,
  { title, participantIds, now }: Fields,
): Promise<string> {
  const others = [...new Set(participantIds)].filter((id) => id !== editor.id)
  requireRoom(others.length + 1)
  await lockProfiles(db, [editor.id, ...others])
  await requireFewCodes(db, editor.id)
  const { id } = await db
    .insertInto('shared_codes')
    .values({
      code: newReferralCode(CODE_LENGTH),
      title,
      updated_by: editor.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('shared_code_participants')
    .values({ code_id: id, user_id: editor.id, place: 0, accepted_at: now })
    .execute()
  await invite(db, editor, { codeId: id, ids: others, place: 1, now })
  return id
}

/**
 * Changes the title of a code that a person manages, takes people out, and invites others. Throws
 * `shared_code_not_found`, `user_not_found`, `shared_code_full`, `too_many_invitations`, and what `changeOf` refuses.
 */
export async function editSharedCode(
  db: Tx,
  editor: Editor,
  { codeId, version, title, participantIds, now }: Fields & { codeId: string; version: Date },
): Promise<void> {
  await lockProfiles(db, participantIds)
  const code = await lockCode(db, codeId)
  const participants = code ? await findParticipants(db, codeId, editor) : []
  if (!code || !participants.some(({ id }) => id === editor.id)) throw new AppError('shared_code_not_found')
  const change = changeOf({ version: code.updated_at, participants }, { version, participantIds }, editor.id)
  if ('refused' in change) throw new AppError(change.refused)
  const { added, removed } = change
  requireRoom(participants.length + added.length - removed.length)
  await touch(db, { codeId, by: editor.id, now, title })
  if (removed.length > 0)
    await db
      .deleteFrom('shared_code_participants')
      .where('code_id', '=', codeId)
      .where('user_id', 'in', removed)
      .execute()
  const last = participants.at(-1)?.place ?? 0
  await invite(db, editor, { codeId, ids: added, place: last + 1, now })
  for (const id of removed) await tell(db, editor, { id, state: 'removed', now })
}

type Choice = { userId: string; codeId: string; now: Date }

/** Makes who was invited to a code take part in it. Throws `shared_code_not_found` and `too_many_shared_codes`. */
export async function acceptSharedCode(db: Tx, { userId, codeId, now }: Choice): Promise<void> {
  await lockProfiles(db, [userId])
  await lockCode(db, codeId)
  await requireFewCodes(db, userId)
  const { numUpdatedRows } = await db
    .updateTable('shared_code_participants')
    .set({ accepted_at: now })
    .where('code_id', '=', codeId)
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('shared_code_not_found')
  await touch(db, { codeId, by: userId, now })
}

/**
 * Takes a person out of a code, or declines an invitation to it. Who manages it passes it on to the next who takes part.
 * Throws `shared_code_not_found`, and `shared_code_empty` for the last one.
 */
export async function leaveSharedCode(db: Tx, { userId, codeId, now }: Choice): Promise<void> {
  await lockCode(db, codeId)
  const left = await db
    .deleteFrom('shared_code_participants')
    .where('code_id', '=', codeId)
    .where('user_id', '=', userId)
    .returning('accepted_at')
    .executeTakeFirst()
  if (!left) throw new AppError('shared_code_not_found')
  const remaining = await db
    .selectFrom('shared_code_participants')
    .select('user_id')
    .where('code_id', '=', codeId)
    .where('accepted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!remaining && left.accepted_at) throw new AppError('shared_code_empty')
  await touch(db, { codeId, by: userId, now })
}

/** Takes away the titles that a person wrote last; the codes are others’, too. */
export async function forgetTitles(db: Tx, userId: string): Promise<void> {
  await db
    .updateTable('shared_codes')
    .set({ title: 'Shared code' })
    .where('updated_by', '=', userId)
    .execute()
}

function requireRoom(participants: number): void {
  if (participants > MAX_SHARED_CODE_PARTICIPANTS) throw new AppError('shared_code_full')
}

/**
 * Locks the people whose codes and invitations are counted, in one order everywhere and before the code, so that two
 * changes at once wait for each other.
 */
async function lockProfiles(db: Tx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await db
    .selectFrom('profiles')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

function lockCode(db: Tx, codeId: string) {
  return db
    .selectFrom('shared_codes')
    .select(['id', 'updated_at'])
    .where('id', '=', codeId)
    .forUpdate()
    .executeTakeFirst()
}

async function requireFewCodes(db: Tx, userId: string): Promise<void> {
  if ((await countSharedCodes(db, userId)).own >= MAX_SHARED_CODES)
    throw new AppError('too_many_shared_codes')
}

function touch(
  db: Tx,
  { codeId, by, now, ...values }: { codeId: string; by: string; now: Date; title?: string },
): Promise<unknown> {
  return db
    .updateTable('shared_codes')
    .set({ ...values, updated_by: by, updated_at: now })
    .where('id', '=', codeId)
    .execute()
}

/** A creator invites anybody whose name they know, as everywhere; others only people whose profile they see. */
async function invite(
  db: Tx,
  editor: Editor,
  { codeId, ids, place, now }: { codeId: string; ids: string[]; place: number; now: Date },
): Promise<void> {
  const found = editor.isCreator ? isReachable : isShown
  for (const [index, id] of ids.entries()) {
    if (!(await found(db, id, editor))) throw new AppError('user_not_found')
    if ((await countSharedCodes(db, id)).invitations >= MAX_SHARED_CODE_INVITATIONS)
      throw new AppError('too_many_invitations')
    await db
      .insertInto('shared_code_participants')
      .values({ code_id: codeId, user_id: id, place: place + index })
      .execute()
    await tell(db, editor, { id, state: 'invited', now })
  }
}

function tell(
  db: Tx,
  { id: fromId, username: from }: Editor,
  { id: person, state, now }: { id: string; state: 'invited' | 'removed'; now: Date },
): Promise<unknown> {
  return notify(db, { kind: 'shared-code.changed', person, data: { state, from, fromId } }, { now })
}
