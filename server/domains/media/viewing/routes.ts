import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { audienceAt } from '../../profiles/data.ts'
import { findMedia, findMediaView } from '../data.ts'
import { linksFor, presentFeedItem, presentMedia } from '../present.ts'
import { isBundle, listBundle, listProfile, listStore } from './data.ts'
import { listDiscover } from './discover/data.ts'
import { listDiscoverForVisitors } from './discover/visitors/data.ts'
import { presentCreator } from './present.ts'
import { listUnlockedIds } from './unlocked/data.ts'

export const viewingHandlers: Handlers<
  'profileMedia' | 'discover' | 'purchasableMedia' | 'unlockedMedia' | 'bundleInfo' | 'viewMedia' | 'media'
> = {
  async profileMedia({ context, db, viewer, companion, client, query, now }) {
    const rows = await listProfile(db, audienceAt(viewer, client.place), {
      creatorId: query.creatorId,
      filters: query,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentFeedItem(row, links))
  },

  async discover({ context, db, viewer, companion, client, query, now }) {
    // Nothing locked or kept out of search is ever discovered.
    const nothing = query.mustUnlock === true || query.showInSearch === false
    if (nothing) return { items: [], hasMore: false, nextCursor: null }
    const request = { tagIds: query.tagIds, page: query, now }
    const rows = viewer
      ? await listDiscover(db, audienceAt(viewer, client.place), request)
      : await listDiscoverForVisitors(db, client.place, request)
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentFeedItem(row, links))
  },

  async purchasableMedia({ context, db, viewer, companion, client, query, now }) {
    const rows = await listStore(db, audienceAt(viewer, client.place), {
      creatorId: query.creatorId,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => ({
      ...presentFeedItem(row, links),
      price: formatMoney(row.price_cents),
      description: row.description ?? '',
    }))
  },

  async unlockedMedia({ db, viewer, query, now }) {
    return listUnlockedIds(db, viewer, { page: query, now })
  },

  async bundleInfo({ context, db, viewer, companion, client, query, now }) {
    if (!(await isBundle(db, query.bundleId))) throw new AppError('item_not_found')
    const rows = await listBundle(db, audienceAt(viewer, client.place), {
      bundleId: query.bundleId,
      onlyIds: query.mediaIds,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return {
      bundleMedia: rows.map((row) => ({
        ...presentFeedItem(row, links),
        price: formatMoney(row.price_cents),
      })),
      usersMediaIds: rows.filter(({ owned }) => owned).map(({ id }) => id),
    }
  },

  async viewMedia({ context, db, viewer, companion, client, params, now }) {
    const row = await findMediaView(db, audienceAt(viewer, client.place), params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return {
      media: presentMedia(row, linksFor(context.signer, companion, now)),
      creator: presentCreator(row),
    }
  },

  async media({ context, db, viewer, companion, client, params, now }) {
    const row = await findMedia(db, audienceAt(viewer, client.place), params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return presentMedia(row, linksFor(context.signer, companion, now))
  },
}
