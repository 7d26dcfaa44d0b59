import type { Tx } from '../../../db/client.ts'
import type { MessagingTables } from '../../../db/tables/messaging.ts'

type Settings = { audience: MessagingTables['chat_settings']['audience']; welcomeMessage: string }

/** Sets who may write to a creator, and what welcomes new subscribers. */
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
