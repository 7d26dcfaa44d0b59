import type { Db, Tx } from '../../../db/client.ts'
import type { MessagingTables } from '../../../db/tables/messaging.ts'

/** Default settings of a creator's chat. */
const DEFAULTS = { audience: 'everyone', welcomeMessage: '' } as const

/** A creator's chat settings. */
export async function findChatSettings(db: Db, userId: string) {
  const row = await db
    .selectFrom('chat_settings')
    .select(['audience', 'welcome_message as welcomeMessage'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? DEFAULTS
}

type Settings = { audience: MessagingTables['chat_settings']['audience']; welcomeMessage: string }

/** Sets who may message a creator, and the welcome message for new subscribers. */
export async function setChatSettings(
  tx: Tx,
  userId: string,
  { audience, welcomeMessage }: Settings,
): Promise<void> {
  const set = { audience, welcome_message: welcomeMessage }
  await tx
    .insertInto('chat_settings')
    .values({ user_id: userId, ...set })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
    .execute()
}
