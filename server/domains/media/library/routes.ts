import { errors } from '../../../../contract/errors.ts'
import type { Routes } from '../../../../contract/index.ts'
import type { Context } from '../../../context.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { HandlerRequest, Handlers } from '../../../handler.ts'
import { findMedia } from '../data.ts'
import { linksFor, presentMedia, presentSelected, presentUnlockable } from '../present.ts'
import { addRedGif } from './actions.ts'
import { findOwn, findPoster, findSelection, listChoices, listLibrary, listUploaded } from './data.ts'
import { bulkDeleteMedia, deleteMedia, restoreMedia } from './deleting/actions.ts'
import { findDeletionEffects, listDeleted, mayDelete } from './deleting/data.ts'
import { bulkEditMedia, editMedia } from './editing/actions.ts'
import { reorderMedia } from './ordering/actions.ts'
import { daysLeft } from './rules.ts'
import { unlockMedia } from './unlocking/actions.ts'
import { listUnlockable } from './unlocking/data.ts'

async function choices(
  request: HandlerRequest<Routes['subscriptionMediaPicker'] | Routes['bundleMediaPicker']>,
) {
  const { context, db, audience, companion, query, now } = request
  const onlyIds = query.showSelectedOnly ? query.selectedMediaIds : null
  const rows = await listChoices(db, audience, { filter: query, onlyIds, page: query, now })
  const links = linksFor(context.signer, companion, now)
  return toPage(rows, query, (row) => presentMedia(row, links))
}

type Request = Pick<HandlerRequest<Routes['editMedia']>, 'context' | 'db' | 'audience' | 'companion' | 'now'>

async function oneItem({ context, db, audience, companion, now }: Request, mediaId: string) {
  const row = await findMedia(db, audience, mediaId, now)
  if (!row) throw new AppError('media_not_found')
  return presentMedia(row, linksFor(context.signer, companion, now))
}

async function ownItems({ context, db, audience, companion, now }: Request, mediaIds: string[]) {
  const links = linksFor(context.signer, companion, now)
  return { items: (await findOwn(db, audience, mediaIds, now)).map((row) => presentMedia(row, links)) }
}

export const libraryHandlers = {
  async manageMedia({ context, db, audience, companion, query, now }) {
    const rows = await listLibrary(db, audience, { filter: query, page: query, now })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => ({ ...presentMedia(row, links), fileName: row.file_name }))
  },

  async librarySelection({ db, viewer, query: { limit, ...filter } }) {
    const { count, items } = await findSelection(db, viewer.id, { filter, limit })
    return { count, items: items.map(presentSelected) }
  },

  async editMedia(request) {
    const { context, db, viewer, body, now } = request
    await editMedia(db, viewer, body, saleOptions(context, now))
    return oneItem(request, body.mediaId)
  },

  async bulkEditMedia(request) {
    const { context, db, viewer, body, now } = request
    await bulkEditMedia(db, viewer, body, saleOptions(context, now))
    return ownItems(request, body.mediaIds)
  },

  async reorderMedia({ db, viewer, body, now }) {
    await reorderMedia(db, viewer.id, body, now)
    return { success: true }
  },

  async deletionEffects({ db, viewer, body }) {
    if (!(await mayDelete(db, viewer, body.mediaIds))) throw new AppError('media_not_found')
    const { buyers, bundles, subscriptions } = await findDeletionEffects(db, body.mediaIds)
    const named = ({ id, title }: { id: string; title: string }) => ({ _id: id, title })
    return { buyers, bundles: bundles.map(named), subscriptions: subscriptions.map(named) }
  },

  async deleteMedia({ db, viewer, body, now }) {
    await deleteMedia(db, viewer, { ...body, now })
    return { success: true }
  },

  async bulkDeleteMedia({ db, viewer, body, now }) {
    await bulkDeleteMedia(db, viewer, body.mediaIds, now)
    return { success: true }
  },

  async deletedMedia({ context, db, audience, companion, query, now }) {
    const rows = await listDeleted(db, audience, { page: query, now })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => ({
      ...presentMedia(row, links),
      // Its address is no secret to who added it.
      redGif: row.red_gif,
      deletedAt: row.deletedAt.toISOString(),
      daysLeft: daysLeft(row.deletedAt, now),
    }))
  },

  async restoreMedia(request) {
    const { db, viewer, body, now } = request
    await restoreMedia(db, viewer, body.mediaIds, now)
    return ownItems(request, body.mediaIds)
  },

  async posterStatus({ db, viewer, query }) {
    const poster = await findPoster(db, viewer.id, query.mediaId)
    if (!poster) throw new AppError('media_not_found')
    const { status } = poster
    return { status: status ?? 'none', error: status === 'failed' ? errors.poster_not_taken.text : null }
  },

  async addRedGif(request) {
    const { db, viewer, body, now } = request
    const { redGif, tagIds, duration = null } = body
    return oneItem(request, await addRedGif(db, { creatorId: viewer.id, redGif, tagIds, duration, now }))
  },

  async mediaMetadata({ context, db, audience, companion, query, now }) {
    const rows = await listUploaded(db, audience, { type: query.type, page: query, now })
    const links = linksFor(context.signer, companion, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async unlockableMedia({ db, query }) {
    const { creatorId, customerId } = query
    const rows = await listUnlockable(db, creatorId, customerId ?? null, query)
    return toPage(rows, query, presentUnlockable)
  },
  async unlockMedia({ db, viewer, body, now }) {
    const { customerId, mediaId, reason = 'No reason given' } = body
    await unlockMedia(db, { operatorId: viewer.id, customerId, mediaId, reason, now })
    return { success: true }
  },

  subscriptionMediaPicker: choices,
  bundleMediaPicker: choices,
} satisfies Partial<Handlers>

/** The limits that apply to everything on sale at this moment. */
function saleOptions({ publishingOpen, config }: Context, now: Date) {
  return { publishingOpen, leastPriceCents: config.MIN_PRICE_CENTS, now }
}
