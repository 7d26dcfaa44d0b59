import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findMedia } from '../data.ts'
import { linksFor, presentMedia } from '../present.ts'
import { findCreator, isBundle, listBundle, listProfile, listStore } from './data.ts'
import { listDiscover, listDiscoverForVisitors } from './discover/data.ts'
import { presentCreator } from './present.ts'

export const viewingHandlers = {
  async profileMedia({ context, db, audience, companion, query, now }) {
    const rows = await listProfile(db, audience, {
      creatorId: query.creatorId,
      filters: query,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async discover({ context, db, audience, companion, query, now }) {
    // Nothing locked or kept out of search is ever discovered.
    const nothing = query.mustUnlock === true || query.showInSearch === false
    if (nothing) return { items: [], hasMore: false, nextCursor: null }
    const request = { tagIds: query.tagIds, page: query, now }
    const rows = audience.id
      ? await listDiscover(db, audience, request)
      : await listDiscoverForVisitors(db, audience, request)
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async purchasableMedia({ context, db, audience, companion, query, now }) {
    const rows = await listStore(db, audience, {
      creatorId: query.creatorId,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async bundleInfo({ context, db, audience, companion, query, now }) {
    if (!(await isBundle(db, audience, query.bundleId))) throw new AppError('item_not_found')
    const rows = await listBundle(db, audience, {
      bundleId: query.bundleId,
      onlyIds: query.mediaIds,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return {
      bundleMedia: rows.map((row) => presentMedia(row, links)),
      usersMediaIds: rows.filter(({ owned }) => owned).map(({ id }) => id),
    }
  },

  async viewMedia({ context, db, audience, companion, params, now }) {
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    const creator = await findCreator(db, row.creator_id)
    return {
      media: presentMedia(row, linksFor(context.signer, companion, now)),
      creator: presentCreator(creator),
    }
  },

  async media({ context, db, audience, companion, params, now }) {
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return presentMedia(row, linksFor(context.signer, companion, now))
  },
} satisfies Partial<Handlers>
