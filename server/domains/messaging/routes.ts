import type { Handlers } from '../../handler.ts'

export const messagingHandlers = {
  // Messages come later; until then nobody has an unread one, and the top bar's badge stays away.
  async unread() {
    return { items: [] }
  },
} satisfies Partial<Handlers>
