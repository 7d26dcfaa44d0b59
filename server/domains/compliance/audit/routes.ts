import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { listActors, listEntries } from './data.ts'
import { presentEntry, presentNamed } from './present.ts'

export const auditHandlers = {
  async audit({ db, query }) {
    const { limit, skip, cursor, ...sought } = query
    const page = { limit, skip, cursor }
    return toPage(await listEntries(db, sought, page), page, presentEntry)
  },

  async auditActors({ db }) {
    const rows = await listActors(db)
    return {
      items: rows.map(({ id, username, leaving }) => ({ _id: id, ...presentNamed(username, leaving) })),
    }
  },
} satisfies Partial<Handlers>
