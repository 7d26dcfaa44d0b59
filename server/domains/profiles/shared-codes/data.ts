import { sql } from 'kysely'
import { MAX_SHARED_CODES } from '../../../../contract/constants.ts'
import type { Db } from '../../../db/client.ts'

export type SharedCodeRow = Awaited<ReturnType<typeof listSharedCodes>>[number]

/** The codes that a person takes part in, or one of them, with everybody else who does, newest first. */
export function listSharedCodes(db: Db, userId: string, codeId?: string) {
  return db
    .selectFrom('shared_code_participants as own')
    .innerJoin('shared_codes', 'shared_codes.id', 'own.code_id')
    .innerJoin('users as editor', 'editor.id', 'updated_by')
    .select(['shared_codes.id', 'code', 'title', 'shared_codes.updated_at'])
    .select(['editor.username as editor', 'editor.hidden_at as editorHiddenAt'])
    .select(
      sql<{ id: string; username: string; isHidden: boolean }[]>`(
        select jsonb_agg(jsonb_build_object('id', users.id, 'username', username, 'isHidden', hidden_at is not null)
          order by place)
        from shared_code_participants as each join users on users.id = each.user_id
        where each.code_id = shared_codes.id
      )`.as('participants'),
    )
    .select(
      sql<number>`(select count(*) from users where referred_by_shared = shared_codes.id)`.as('signUps'),
    )
    .where('own.user_id', '=', userId)
    .$if(codeId !== undefined, (query) => query.where('shared_codes.id', '=', codeId ?? ''))
    .orderBy('shared_codes.id', 'desc')
    .limit(MAX_SHARED_CODES)
    .execute()
}

export async function countSharedCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('shared_code_participants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Who takes part in a code in their order, whether or not they are hidden. */
export async function findParticipants(db: Db, codeId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('shared_code_participants')
    .select('user_id')
    .where('code_id', '=', codeId)
    .orderBy('place')
    .execute()
  return rows.map(({ user_id }) => user_id)
}
