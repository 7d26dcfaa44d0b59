import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { idIn, type PageRequest, skipOf } from '../../../db/cursor.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { shown, visible } from '../data.ts'
import type { Participant } from './rules.ts'

export type Viewer = PeopleAudience & { id: string }

/**
 * The members of a code that a person is shown: its manager, if they are a creator, also sees private people whom
 * they invited.
 */
const seen = (viewer: Viewer) => sql<boolean>`(${shown(viewer)} or users.id = ${viewer.id})`
const seenByManager = (viewer: Viewer) =>
  viewer.isCreator ? sql<boolean>`(${visible(viewer, 'users')} or users.id = ${viewer.id})` : seen(viewer)

type Listed = { id: string; username: string; accepted: boolean; isSeen: boolean; isSeenByManager: boolean }
export type SharedCodeRow = Awaited<ReturnType<typeof listSharedCodes>>[number]

/**
 * One row more than the page of codes that a person takes part in or is invited to, newest first, with everybody who
 * shares them; or one of these codes.
 */
export function listSharedCodes(
  db: Db,
  viewer: Viewer,
  which: { codeId: string } | (PageRequest & { showing: 'own' | 'invitations' }),
) {
  let rows = db
    .selectFrom('shared_code_participants as own')
    .innerJoin('shared_codes', 'shared_codes.id', 'own.code_id')
    .select(['shared_codes.id', 'shared_codes.id as position', 'code', 'title'])
    .select(['shared_codes.updated_at', 'own.accepted_at', 'shared_codes.updated_by'])
    .select(
      sql<Listed[]>`(
        select jsonb_agg(jsonb_build_object('id', users.id, 'username', username, 'accepted', accepted_at is not null,
          'isSeen', ${seen(viewer)}, 'isSeenByManager', ${seenByManager(viewer)}) order by place)
        from shared_code_participants as each join users on users.id = each.user_id
        where each.code_id = shared_codes.id
      )`.as('participants'),
    )
    .select(
      sql<
        string | null
      >`(select username from users where users.id = shared_codes.updated_by and ${seen(viewer)})`.as(
        'editor',
      ),
    )
    .select(
      sql<number>`(select count(*) from users where referred_by_shared = shared_codes.id)`.as('signUps'),
    )
    .where('own.user_id', '=', viewer.id)
    .orderBy('shared_codes.id', 'desc')
  if ('codeId' in which) return rows.where('shared_codes.id', '=', which.codeId).execute()
  const { cursor } = which
  rows = rows.where('own.accepted_at', which.showing === 'own' ? 'is not' : 'is', null)
  if (cursor !== undefined) rows = rows.where('shared_codes.id', '<', idIn(cursor))
  return rows
    .offset(skipOf(which))
    .limit(which.limit + 1)
    .execute()
}

/** How many codes a person takes part in, and how many they are invited to. */
export async function countSharedCodes(
  db: Db,
  userId: string,
): Promise<{ own: number; invitations: number }> {
  const { own, invitations } = await db
    .selectFrom('shared_code_participants')
    .select(({ fn }) => [fn.count<number>('accepted_at').as('own')])
    .select(sql<number>`count(*) filter (where accepted_at is null)`.as('invitations'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { own: Number(own), invitations: Number(invitations) }
}

/** People who share a code or are invited to, in order, hidden or not. */
export function findParticipants(db: Db, codeId: string, editor: Viewer): Promise<Participant[]> {
  return db
    .selectFrom('shared_code_participants')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'place', seenByManager(editor).as('isSeen')])
    .select(sql<boolean>`accepted_at is not null`.as('hasAccepted'))
    .where('code_id', '=', codeId)
    .orderBy('place')
    .execute()
}
