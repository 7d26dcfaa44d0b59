import type { Routes } from '../../../../contract/index.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { HandlerRequest, Handlers } from '../../../handler.ts'
import { findMedia } from '../data.ts'
import { linksFor, presentMedia } from '../present.ts'
import { deleteMedia, editMedia } from './actions.ts'
import { listChoices, listLibrary } from './data.ts'

async function choices(
  request: HandlerRequest<Routes['subscriptionMediaPicker'] | Routes['bundleMediaPicker']>,
) {
  const { context, db, viewer, reader, query, now } = request
  const onlyIds = query.showSelectedOnly ? query.selectedMediaIds : null
  const rows = await listChoices(db, viewer, { onlyIds, page: query, now })
  const links = linksFor(context.signer, reader, now)
  return toPage(rows, query, (row) => presentMedia(row, links))
}

export const libraryHandlers: Handlers<
  'manageMedia' | 'editMedia' | 'deleteMedia' | 'subscriptionMediaPicker' | 'bundleMediaPicker'
> = {
  async manageMedia({ context, db, viewer, reader, query, now }) {
    const rows = await listLibrary(db, viewer, { page: query, now })
    const links = linksFor(context.signer, reader, now)
    return toPage(rows, query, (row) => presentMedia(row, links))
  },

  async editMedia({ context, db, viewer, reader, body, now }) {
    await editMedia(db, viewer, body, { publishingOpen: context.publishingOpen })
    const row = await findMedia(db, viewer, body.mediaId, now)
    if (!row) throw new AppError('media_not_found')
    return presentMedia(row, linksFor(context.signer, reader, now))
  },

  async deleteMedia({ db, viewer, body, now }) {
    await deleteMedia(db, viewer, body.mediaId, now)
    return { success: true }
  },

  subscriptionMediaPicker: choices,
  bundleMediaPicker: choices,
}
