import { can } from '../../../../contract/permissions.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Viewer } from '../../../viewer.ts'
import { trackNames } from '../forum/actions.ts'
import { presentRefused } from '../present.ts'
import { createList, deleteList, requireEditable, updateList } from './actions.ts'
import { findList, type ListRow, listLists } from './data.ts'

export const subredditListHandlers = {
  async subredditLists({ db, viewer, query }) {
    const rows = await listLists(db, viewer.id, { siteWide: query.getSiteWide === 'true' })
    return { items: rows.map((row) => ({ ...presentList(row), subreddits: row.subreddits })) }
  },

  async subredditList({ db, viewer, params }) {
    const row = await requireList(db, viewer.id, params.listId)
    return { ...presentList(row), subreddits: row.subreddits }
  },

  async createSubredditList({ db, viewer, body, now }) {
    const { title, siteWide } = body
    const id = await createList(db, editor(viewer), { title, siteWide, now })
    return presentList(await requireList(db, viewer.id, id))
  },

  async updateSubredditList({ context, viewer, body, now }) {
    // Only for people who may change the list, the forum is asked about the names on it.
    requireEditable(editor(viewer), await findList(context.db, viewer.id, body.listId))
    const refused = await trackNames(context, { names: body.subreddits ?? [], userId: viewer.id })
    const left = new Set(refused.map(({ name }) => name.toLowerCase()))
    const subreddits = body.subreddits?.filter((name) => !left.has(name.toLowerCase()))
    await context.db
      .transaction()
      .execute((tx) => updateList(tx, editor(viewer), { ...body, subreddits, now }))
    const list = await requireList(context.db, viewer.id, body.listId)
    return { ...presentList(list), refused: refused.map(presentRefused) }
  },

  async deleteSubredditList({ db, viewer, body, now }) {
    await deleteList(db, editor(viewer), body.listId, now)
    return { success: true }
  },
} satisfies Partial<Handlers>

const editor = (viewer: Viewer) => ({ id: viewer.id, keepsAll: can(viewer, 'subreddits.edit') })

async function requireList(db: Db, userId: string, listId: string): Promise<ListRow> {
  const row = await findList(db, userId, listId)
  if (!row) throw new AppError('subreddit_list_not_found')
  return row
}

function presentList({ id, user_id, title, remove_from_search, count }: ListRow) {
  return { _id: id, title, removeFromSearch: remove_from_search, siteWide: user_id === null, count }
}
