import type { Handlers } from '../../../handler.ts'
import { confirmAuthorization, disconnect, startAuthorization } from './actions.ts'
import { type AccountRow, countKept, type Kept, listAccounts } from './data.ts'

export const forumAccountHandlers = {
  async forumAccounts({ db, viewer }) {
    const [accounts, kept] = [await listAccounts(db, viewer.id), await countKept(db, viewer.id)]
    return { items: accounts.map((account) => presentAccount(account, kept.get(account.id))) }
  },

  async authorizeForum({ context, viewer, now }) {
    return { url: startAuthorization(context, { userId: viewer.id, sessionId: viewer.sessionId, now }) }
  },

  async confirmForum({ context, viewer, body, now }) {
    const { code, state } = body
    const { id: userId, sessionId } = viewer
    const account = await confirmAuthorization(context, { userId, sessionId, code, state, now })
    return { account: presentAccount(account, (await countKept(context.db, userId)).get(account.id)) }
  },

  async disconnectForum({ context, db, viewer, body, now }) {
    const left = await disconnect(db, context.vault, { userId: viewer.id, accountId: body.accountId, now })
    return { success: true, ...left }
  },
} satisfies Partial<Handlers>

function presentAccount(account: AccountRow, kept: Kept | undefined) {
  const { id, name, revoked_at, stopped_by, connected_at } = account
  return {
    _id: id,
    name,
    status: revoked_at ? ('revoked' as const) : ('connected' as const),
    stoppedBy: stopped_by,
    connectedAt: connected_at.toISOString(),
    scheduledPosts: kept?.posts ?? 0,
    slots: kept?.slots ?? 0,
  }
}
