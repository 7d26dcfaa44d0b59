import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { audienceAt } from '../../profiles/data.ts'
import { findMedia } from '../data.ts'
import { linksFor, presentMedia, presentVersion } from '../present.ts'
import { listVersions } from '../versions/data.ts'
import { findCreator, isBundle, listBundle, listProfile, listStore } from './data.ts'
import { listDiscover } from './discover/data.ts'
import { listDiscoverForVisitors } from './discover/visitors/data.ts'
import { presentCreator } from './present.ts'

export const viewingHandlers: Handlers<
  'profileMedia' | 'discover' | 'purchasableMedia' | 'bundleInfo' | 'viewMedia' | 'media' | 'mediaVersion'
> = {
  async profileMedia({ context, db, viewer, companion, client, query, now }) {
    const rows = await listProfile(db, audienceAt(viewer, client.place), {
      creatorId: query.creatorId,
      filters: query,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
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
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async purchasableMedia({ context, db, viewer, companion, client, query, now }) {
    const rows = await listStore(db, audienceAt(viewer, client.place), {
      creatorId: query.creatorId,
      page: query,
      now,
    })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async bundleInfo({ context, db, viewer, companion, client, query, now }) {
    const audience = audienceAt(viewer, client.place)
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

  async viewMedia({ context, db, viewer, companion, client, params, now }) {
    const audience = audienceAt(viewer, client.place)
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    const creator = await findCreator(db, row.creator_id)
    const links = linksFor(context.signer, companion, now)
    const versions = row.their_version
      ? await listVersions(db, audience, { mediaId: row.id, seesCurrent: row.viewable })
      : []
    return {
      media: presentMedia(row, links),
      versions: versions.length > 1 ? versions.map((version) => presentVersion(row, version, links)) : [],
      creator: presentCreator(creator),
    }
  },

  async media({ context, db, viewer, companion, client, params, now }) {
    const row = await findMedia(db, audienceAt(viewer, client.place), params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return presentMedia(row, linksFor(context.signer, companion, now))
  },

  async mediaVersion({ context, db, viewer, companion, client, params, now }) {
    const audience = audienceAt(viewer, client.place)
    const row = await findMedia(db, audience, params.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    const links = linksFor(context.signer, companion, now)
    if (params.version === 'current') return presentMedia({ ...row, their_version: null }, links)
    const versions = await listVersions(db, audience, { mediaId: row.id, seesCurrent: row.viewable })
    const wanted = versions.find(({ versionId }) => versionId === params.version)
    if (!wanted) throw new AppError('media_not_found')
    return presentVersion(row, wanted, links).media
  },
}
