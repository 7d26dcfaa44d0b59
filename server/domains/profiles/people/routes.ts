import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { presentListed } from '../present.ts'
import { listCreatorsToFollow, listFans, searchPeople } from './data.ts'

export const peopleHandlers = {
  async users({ db, audience, query }) {
    const rows = await searchPeople(db, audience, { filter: '', page: query })
    return toPage(rows, query, presentListed)
  },

  async searchUsers({ db, audience, query }) {
    const rows = await searchPeople(db, audience, { filter: query.filter, page: query })
    return toPage(rows, query, presentListed)
  },

  async creatorsToFollow({ db, audience }) {
    const rows = await listCreatorsToFollow(db, audience)
    return { items: rows.map(presentListed) }
  },

  async fans({ db, audience, query }) {
    return toPage(await listFans(db, audience, { filter: query.filter, page: query }), query, presentListed)
  },
} satisfies Partial<Handlers>
