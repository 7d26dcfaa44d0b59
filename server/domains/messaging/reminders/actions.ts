import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { countEnqueued } from '../../../jobs/enqueue.ts'
import { notify } from '../../notifications/actions.ts'

/** How long a message may stay unread before it is told by email. */
const REMIND_AFTER_MS = 10 * 60 * 1000

type Reminded = { conversationId: string; userId: string }

/**
 * Looks again in a while whether people have read what was written to them; part of the statement that stores it. Of its
 * rows `written` selects conversation_id, user_id and written_at.
 */
export function remindLater(written: RawBuilder<unknown>): RawBuilder<number> {
  return countEnqueued(
    'messages.remind',
    sql`
      select json_build_object('conversationId', conversation_id, 'userId', user_id) as payload,
        'messages.remind ' || conversation_id || ' ' || user_id as key,
        written_at + ${sql.lit(REMIND_AFTER_MS)} * interval '1 millisecond' as run_at
      from (${written}) as written`,
  )
}

/** Tells somebody who wrote to them, once for all that they haven’t read of it; nothing once it was read or muted. */
export async function remind(context: Context, { conversationId, userId }: Reminded): Promise<void> {
  const now = context.clock.now()
  await context.db.transaction().execute(async (tx) => {
    const waiting = await tx
      .selectFrom('conversation_members as me')
      .innerJoin('users as sender', 'sender.id', 'me.other_id')
      .select(['sender.id', 'sender.username', 'me.read_position'])
      .where('me.conversation_id', '=', conversationId)
      .where('me.user_id', '=', userId)
      .where('me.unread', '>', 0)
      .where('me.muted_at', 'is', null)
      .where('sender.hidden_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('blocks')
              .select('blocker_id')
              .whereRef('blocker_id', '=', 'me.user_id')
              .whereRef('blocked_id', '=', 'me.other_id'),
          ),
        ),
      )
      .executeTakeFirst()
    if (!waiting) return
    const data = { from: waiting.username, senderId: waiting.id }
    // How far they have read stays the same until they read on.
    const once = `message.received ${conversationId} ${waiting.read_position}`
    await notify(tx, { kind: 'message.received', person: userId, data }, { now, once })
  })
}
