import type { Handlers } from '../../../handler.ts'
import { findChatSettings, setChatSettings } from './actions.ts'

export const chatSettingsHandlers = {
  chatSettings: ({ db, viewer }) => findChatSettings(db, viewer.id),

  async setChatSettings({ db, viewer, body }) {
    await setChatSettings(db, viewer.id, body)
    return body
  },
} satisfies Partial<Handlers>
