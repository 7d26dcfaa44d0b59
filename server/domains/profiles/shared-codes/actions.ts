import { MAX_SHARED_CODE_PARTICIPANTS, MAX_SHARED_CODES } from '../../../../contract/constants.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { newReferralCode } from '../../identity/account/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { isReachable, isShown } from '../data.ts'
import { countSharedCodes, findParticipants } from './data.ts'
import { changeOf } from './rules.ts'

/** Longer than a person's own code, so that no code is ever both. */
const CODE_LENGTH = 10

type Editor = PeopleAudience & { id: string; username: string }
type Fields = { title: string; participantIds: string[]; now: Date }

/** Makes a code whose first participant is who makes it. Throws `user_not_found` and `too_many_shared_codes`. */
export async function createSharedCode(
  db: Tx,
  editor: Editor,
  { title, participantIds, now }: Fields,
): Promise<string> {
  const others = [...new Set(participantIds)].filter((id) => id !== editor.id)
  requireRoom(others.length + 1)
  await requireReachable(db, editor, others)
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
  await replaceParticipants(db, id, [editor.id, ...others])
  await tellAll(db, editor, { title, added: others, removed: [], now })
  return id
}

/**
 * Changes title and participants of a code; one who doesn't manage it can only leave. Throws `shared_code_not_found`,
 * `shared_code_not_yours`, `shared_code_empty` and `user_not_found`.
 */
export async function editSharedCode(
  db: Tx,
  editor: Editor,
  { codeId, title, participantIds, now }: Fields & { codeId: string },
): Promise<void> {
  const code = await db
    .selectFrom('shared_codes')
    .select(['id', 'title'])
    .where('id', '=', codeId)
    .forUpdate()
    .executeTakeFirst()
  const before = code ? await findParticipants(db, code.id) : []
  if (!code || !before.includes(editor.id)) throw new AppError('shared_code_not_found')
  const change = changeOf({ title: code.title, participants: before }, { title, participantIds }, editor.id)
  if ('refused' in change) throw new AppError(change.refused)
  const { after, added, removed } = change
  requireRoom(after.length)
  await requireReachable(db, editor, added)
  await db
    .updateTable('shared_codes')
    .set({ title, updated_by: editor.id, updated_at: now })
    .where('id', '=', codeId)
    .execute()
  await replaceParticipants(db, codeId, after)
  await tellAll(db, editor, { title, added, removed, now })
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

/** Two at once come one after the other, by the lock of the profile. */
async function requireFewCodes(db: Tx, userId: string): Promise<void> {
  await db.selectFrom('profiles').select('user_id').where('user_id', '=', userId).forUpdate().execute()
  if ((await countSharedCodes(db, userId)) >= MAX_SHARED_CODES) throw new AppError('too_many_shared_codes')
}

/** A creator adds anybody whose name they know, as everywhere; others only people whose profile they see. */
async function requireReachable(db: Tx, editor: Editor, ids: string[]): Promise<void> {
  const found = editor.isCreator ? isReachable : isShown
  for (const id of ids) if (!(await found(db, id, editor))) throw new AppError('user_not_found')
}

async function replaceParticipants(db: Tx, codeId: string, userIds: string[]): Promise<void> {
  await db.deleteFrom('shared_code_participants').where('code_id', '=', codeId).execute()
  await db
    .insertInto('shared_code_participants')
    .values(userIds.map((user_id, place) => ({ code_id: codeId, user_id, place })))
    .execute()
}

async function tellAll(
  db: Tx,
  editor: Editor,
  { title, added, removed, now }: { title: string; added: string[]; removed: string[]; now: Date },
): Promise<void> {
  const tell = (person: string, state: 'added' | 'removed') =>
    notify(
      db,
      {
        kind: 'shared-code.changed',
        person,
        data: { state, title, from: editor.username, fromId: editor.id },
      },
      { now },
    )
  for (const id of added) await tell(id, 'added')
  for (const id of removed) if (id !== editor.id) await tell(id, 'removed')
}
