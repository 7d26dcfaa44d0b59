import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '../../constants.ts'
import { route } from '../../route.ts'
import { paragraph } from '../../schemas.ts'

/** The people who may start writing to a creator: `chat` are subscribers of a subscription with chat. */
export const CHAT_AUDIENCES = ['everyone', 'followers', 'subscribers', 'chat'] as const

const ChatSettings = z.object({
  audience: z.enum(CHAT_AUDIENCES),
  /** Sent by itself to each new subscriber; empty for none. */
  welcomeMessage: paragraph(MAX_MESSAGE_LENGTH),
})

export const chatSettingsRoutes = {
  chatSettings: route({
    method: 'GET',
    path: '/users/chatsettings',
    summary: 'The people who may write to the creator, and the welcome message for new subscribers.',
    access: 'creator',
    output: ChatSettings,
  }),
  setChatSettings: route({
    method: 'POST',
    path: '/users/chatsettings',
    summary: 'Sets who may write to the creator, and what new subscribers are welcomed with.',
    access: 'creator',
    body: ChatSettings,
    output: ChatSettings,
  }),
}
