import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findMedia, findMediaView } from '../data.ts'
import { listUnlockedIds } from '../entitlements/unlocked/data.ts'
import {
  linksFor,
  portraitOf,
  presentCreatorInList,
  presentFeedItem,
  presentMedia,
  presentVersion,
} from '../present.ts'
import { findDeletedTakedown } from '../quarantine/data.ts'
import { listVersions } from '../versions/data.ts'
import { type FindOwed, isBundle, listBundle, listProfile, listStore, listUnlocks } from './data.ts'
import {
  listCreators,
  listCreatorsForVisitors,
  listDiscover,
  listDiscoverForVisitors,
} from './discover/data.ts'
import { listNew } from './followed/data.ts'
import { presentCreator, presentUnlock } from './present.ts'

export const viewingHandlers = {
  async profileMedia({ context, db, audience, companion, query, now }) {
    const rows = await listProfile(db, audience, {
      creatorId: query.creatorId,
      filters: query,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    const own = audience.id === query.creatorId
    return toPage(rows, query, (row) => ({
      ...presentFeedItem(row, links),
      ...(own && row.must_unlock ? { mustUnlock: true } : {}),
      ...(row.published ? {} : { unpublished: true as const }),
    }))
  },

  async discover({ context, db, audience, companion, query, now }) {
    // Nothing locked or kept out of search is ever discovered.
    const nothing = query.mustUnlock === true || query.showInSearch === false
    if (nothing) return { items: [], hasMore: false, nextCursor: null }
    const { tagIds, type, sort } = query
    const request = { tagIds, type, sort, page: query, now }
    const rows = audience.id
      ? await listDiscover(db, audience, request)
      : await listDiscoverForVisitors(db, audience, request)
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => ({ ...presentFeedItem(row, links), ...portraitOf(row) }))
  },

  async creators({ db, audience, now }) {
    const rows = audience.id
      ? await listCreators(db, audience)
      : await listCreatorsForVisitors(db, audience, now)
    return { creators: rows.map(presentCreatorInList) }
  },

  async newMedia({ context, db, viewer, audience, companion, query, now }) {
    const rows = await listNew(db, { ...audience, id: viewer.id }, { page: query, now })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => ({
      ...presentFeedItem({ ...row, viewable: row.free || row.owned }, links),
      ...portraitOf(row),
      createdAt: row.created_at.toISOString(),
    }))
  },

  async purchasableMedia({ context, db, audience, companion, query, now }) {
    const rows = await listStore(db, audience, {
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

  async unlockedMedia({ db, viewer, audience, query, now }) {
    return listUnlockedIds(db, { ...audience, id: viewer.id }, { page: query, now })
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
      bundleMedia: rows.map((row) => ({
        ...presentFeedItem(row, links),
        price: formatMoney(row.price_cents),
      })),
      usersMediaIds: rows.filter(({ owned }) => owned).map(({ id }) => id),
    }
  },

  async media({ context, db, audience, companion, params, now }) {
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return presentMedia(row, linksFor(context.signer, companion, now))
  },

  async mediaVersion({ context, db, audience, companion, params, now }) {
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    const links = linksFor(context.signer, companion, now)
    if (params.version === 'current') return presentMedia({ ...row, their_version: null }, links)
    const versions = await listVersions(db, audience, { mediaId: row.id, seesCurrent: row.viewable })
    const wanted = versions.find(({ versionId }) => versionId === params.version)
    if (!wanted) throw new AppError('media_not_found')
    return presentVersion(row, wanted, links).media
  },
} satisfies Partial<Handlers>

/** The page of an item. What is owed is told by commerce, which stands above. */
export const viewMedia =
  (findOwed: FindOwed): Handlers['viewMedia'] =>
  async ({ context, db, audience, companion, params, now }) => {
    const row = await findMediaView(db, audience, params.mediaId, now)
    if (!row) {
      const takedown = await findDeletedTakedown(db, audience.id, params.mediaId)
      if (takedown === null) throw new AppError('media_not_found')
      // They were told of it by a link to this page.
      throw new AppError('media_not_found', { details: { takedown } })
    }
    const links = linksFor(context.signer, companion, now)
    const versions = row.their_version
      ? await listVersions(db, audience, { mediaId: row.id, seesCurrent: row.viewable })
      : []
    // Buying would not show what was taken down, nor could its owner buy it.
    const offered = !row.viewable && !row.owned && !row.quarantined_at
    const unlocks = offered ? await listUnlocks(db, audience, row.id) : []
    const debtor = unlocks.some(({ pastDue }) => pastDue) ? audience.id : null
    const terms = { ...(await findOwed(db, debtor, now)), leastCents: context.config.MIN_PRICE_CENTS }
    return {
      media: presentMedia(row, links),
      versions: versions.length > 1 ? versions.map((version) => presentVersion(row, version, links)) : [],
      creator: presentCreator(row),
      unlocks: unlocks
        .map((unlock) => presentUnlock(unlock, terms))
        .filter(({ pastDue, retired }) => pastDue || !retired),
    }
  }
