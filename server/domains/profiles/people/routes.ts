import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { presentListed } from '../present.ts'
import { listFans, searchPeople } from './data.ts'

export const peopleHandlers = {
  async users({ db, viewer, client, query }) {
    const rows = await searchPeople(db, viewer, { filter: '', place: client.place, page: query })
    return toPage(rows, query, presentListed)
  },

  async searchUsers({ db, viewer, client, query }) {
    const rows = await searchPeople(db, viewer, { filter: query.filter, place: client.place, page: query })
    return toPage(rows, query, presentListed)
  },

  async fans({ db, viewer, query }) {
    return toPage(await listFans(db, viewer, query), query, presentListed)
  },
} satisfies Partial<Handlers>
