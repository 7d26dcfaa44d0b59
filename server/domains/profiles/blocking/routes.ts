import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { presentListed } from '../present.ts'
import { block, replaceGeoBlock, unblock } from './actions.ts'
import { listBlocked, listGeoBlocks } from './data.ts'
import { geoBlockOf, placesOf } from './rules.ts'

export const blockingHandlers = {
  async block({ db, audience, body, now }) {
    await block(db, audience, { blockedId: body.blockedId, now })
    return { success: true }
  },

  async unblock({ db, viewer, body }) {
    await unblock(db, { userId: viewer.id, blockedId: body.blockedId })
    return { success: true }
  },

  async blocked({ db, audience, query }) {
    return toPage(await listBlocked(db, audience, query), query, presentListed)
  },

  async geoBlock({ db, viewer }) {
    return geoBlockOf(await listGeoBlocks(db, viewer.id))
  },

  async setGeoBlock({ db, viewer, body }) {
    const places = placesOf(body)
    await replaceGeoBlock(db, viewer.id, places)
    return geoBlockOf(places)
  },
} satisfies Partial<Handlers>
