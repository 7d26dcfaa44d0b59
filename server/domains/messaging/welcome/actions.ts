import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { audienceOf } from '../../../viewer.ts'
import { findParties } from '../../commerce/subscriptions/data.ts'
import { conversationIdOf } from '../data.ts'
import { sendMessage } from '../messages/sending/actions.ts'

const NOWHERE = { country: null, region: null }

/**
 * Sends a new subscriber the creator's welcome message, once however often they subscribe; nothing if the creator can't
 * message them.
 */
export async function welcome(
  context: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const { db, clock, config, publishingOpen } = context
  const parties = await findParties(db, subscriptionId)
  if (!parties) return
  const creator = await db
    .selectFrom('users')
    .innerJoin('chat_settings', 'chat_settings.user_id', 'users.id')
    .select(['users.id', 'role', 'is_creator', 'welcome_message'])
    .where('users.id', '=', parties.creator_id)
    .where('welcome_message', '<>', '')
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  if (!creator) return
  const sender = { id: creator.id, role: creator.role, isCreator: creator.is_creator }
  const clientMessageId = conversationIdOf(creator.id, parties.fan_id)
  try {
    await sendMessage(db, {
      sender,
      audience: { ...audienceOf(sender, NOWHERE), id: sender.id },
      recipientId: parties.fan_id,
      draft: { content: creator.welcome_message, mediaIds: [], clientMessageId },
      publishingOpen,
      config,
      automatic: true,
      now: clock.now(),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
  }
}
