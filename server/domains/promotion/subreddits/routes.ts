import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { addTag, deleteSubreddit, editSubreddit, importNames } from './actions.ts'
import { findSubreddit, listNames, listSubreddits, listTags, searchTracked } from './data.ts'
import { presentRow, presentSubreddit } from './present.ts'

export const subredditHandlers = {
  async subredditNames({ db }) {
    return { names: await listNames(db) }
  },

  async subredditTags({ db }) {
    return { items: (await listTags(db)).map(({ id, name }) => ({ _id: id, name })) }
  },

  async addSubredditTag({ db, viewer, body, now }) {
    const { id, name } = await addTag(db, { name: body.name, actorId: viewer.id, now })
    return { _id: id, name }
  },

  async allSubreddits({ db, query }) {
    const rows = await listSubreddits(db, { ...query, skip: skipOf(query) })
    return toPage(rows, query, presentSubreddit)
  },

  async searchSubreddits({ db, viewer, query }) {
    const filters = { ...query, categorized: 'all' as const }
    const rows = await searchTracked(db, viewer.id, { page: { ...query, skip: skipOf(query) }, filters })
    return toPage(rows, query, presentRow)
  },

  async searchCategorizedSubreddits({ db, viewer, query }) {
    const rows = await searchTracked(db, viewer.id, {
      page: { ...query, skip: skipOf(query) },
      filters: query,
    })
    return toPage(rows, query, presentRow)
  },

  async subreddit({ db, params }) {
    const row = await findSubreddit(db, params.subreddit)
    if (!row) throw new AppError('subreddit_not_found')
    return presentSubreddit(row)
  },

  async editSubreddit({ db, viewer, body, now }) {
    await editSubreddit(db, { edit: body, actorId: viewer.id, now })
    const row = await findSubreddit(db, body.srName)
    if (!row) throw new AppError('subreddit_not_found')
    return presentSubreddit(row)
  },

  async importSubreddits({ db, viewer, body, now }) {
    return { added: await importNames(db, { names: body.names, actorId: viewer.id, now }) }
  },

  async deleteSubreddit({ db, viewer, body, now }) {
    await deleteSubreddit(db, { name: body.srName, actorId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
