import type { Db } from '../../../db/client.ts'

/** Who may write to a creator, and what welcomes new subscribers, as long as nothing else was set. */
const DEFAULTS = { audience: 'everyone', welcomeMessage: '' } as const

/** A creator's settings of chat. */
export async function findChatSettings(db: Db, userId: string) {
  const row = await db
    .selectFrom('chat_settings')
    .select(['audience', 'welcome_message as welcomeMessage'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? DEFAULTS
}
