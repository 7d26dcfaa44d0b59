import type { Handlers } from '../../../handler.ts'
import { confirmAuthorization, disconnect, startAuthorization } from './actions.ts'
import { type AccountRow, listAccounts } from './data.ts'

export const forumAccountHandlers = {
  async forumAccounts({ db, viewer }) {
    return { items: (await listAccounts(db, viewer.id)).map(presentAccount) }
  },

  async authorizeForum({ context, viewer, now }) {
    return { url: startAuthorization(context, { userId: viewer.id, sessionId: viewer.sessionId, now }) }
  },

  async confirmForum({ context, viewer, body, now }) {
    const { code, state } = body
    const { id: userId, sessionId } = viewer
    const account = await confirmAuthorization(context, { userId, sessionId, code, state, now })
    return { account: presentAccount(account) }
  },

  async disconnectForum({ context, db, viewer, body, now }) {
    await disconnect(db, context.vault, { userId: viewer.id, accountId: body.accountId, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

function presentAccount({ id, name, revoked_at, connected_at }: AccountRow) {
  return {
    _id: id,
    name,
    status: revoked_at ? ('revoked' as const) : ('connected' as const),
    connectedAt: connected_at.toISOString(),
  }
}
