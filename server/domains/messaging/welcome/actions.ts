import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { audienceOf } from '../../../viewer.ts'
import { conversationIdOf } from '../data.ts'
import { sendMessage } from '../messages/sending/actions.ts'

const NOWHERE = { country: null, region: null }

/**
 * Sends a new subscriber what the creator welcomes them with, once for all, however often they subscribe; nothing to
 * somebody whom the creator can't write to.
 */
export async function welcome(
  context: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const { db, clock, config, publishingOpen } = context
  const found = await db
    .selectFrom('subscriptions')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('chat_settings', 'chat_settings.user_id', 'creator.id')
    .select(['fan_id', 'creator.id', 'creator.role', 'creator.is_creator', 'welcome_message'])
    .where('subscriptions.id', '=', subscriptionId)
    .where('welcome_message', '<>', '')
    .where('creator.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!found?.fan_id) return
  const sender = { id: found.id, role: found.role, isCreator: found.is_creator }
  const clientMessageId = conversationIdOf(found.id, found.fan_id)
  try {
    await sendMessage(db, {
      sender,
      audience: { ...audienceOf(sender, NOWHERE), id: sender.id },
      recipientId: found.fan_id,
      draft: { content: found.welcome_message, mediaIds: [], clientMessageId },
      publishingOpen,
      config,
      automatic: true,
      now: clock.now(),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
  }
}
