import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { notify } from '../../notifications/actions.ts'

/** How long a message may stay unread before it is told by email. */
const REMIND_AFTER_MS = 10 * 60 * 1000

type Reminded = { conversationId: string; userId: string }

/** Looks again in a while whether somebody has read what was written to them. */
export async function remindLater(
  tx: Tx,
  { conversationId, userId, now }: Reminded & { now: Date },
): Promise<void> {
  const runAt = new Date(now.getTime() + REMIND_AFTER_MS)
  const key = `messages.remind ${conversationId} ${userId}`
  await enqueue(tx, 'messages.remind', { conversationId, userId }, { key, runAt, keepRunAt: true })
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
