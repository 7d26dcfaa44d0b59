import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Audience } from '../../../viewer.ts'
import { isReachable } from '../../profiles/data.ts'
import { requirePrice } from '../actions.ts'
import { createBundle, editBundle, editBundleMedia } from './actions.ts'
import { findBundles } from './data.ts'
import { presentBundle } from './present.ts'

export const bundleHandlers = {
  async createBundle({ context, db, viewer, audience, body, now }) {
    const priceCents = requirePrice(context.config, body.price)
    const bundleId = await createBundle(db, { creatorId: viewer.id, title: body.title, priceCents, now })
    return oneBundle(db, bundleId, audience, now)
  },
  async bundle({ db, audience, params, now }) {
    return oneBundle(db, params.id, audience, now)
  },
  async editBundle({ context, db, viewer, audience, body, now }) {
    const { bundleId, title, mediaIds } = body
    await editBundle(db, {
      bundleId,
      editorId: viewer.id,
      title,
      priceCents: requirePrice(context.config, body.price),
      mediaIds,
    })
    return oneBundle(db, bundleId, audience, now)
  },
  async editBundleMedia({ db, viewer, body: { bundleId, addMediaIds, removeMediaIds } }) {
    const change = { editorId: viewer.id, add: addMediaIds, remove: removeMediaIds }
    const { added, removed } = await editBundleMedia(db, bundleId, change)
    return { addedMediaIds: added, removedMediaIds: removed }
  },
  async bundles({ db, audience, query, now }) {
    if (!(await isReachable(db, query.creatorId, audience))) return { bundles: [] }
    const bundles = await findBundles(db, { creatorId: query.creatorId }, audience, now)
    return { bundles: bundles.map(presentBundle) }
  },
} satisfies Partial<Handlers>

async function oneBundle(db: Db, bundleId: string, audience: Audience & { id: string }, now: Date) {
  const [bundle] = await findBundles(db, { bundleId }, audience, now)
  if (!bundle || !(await isReachable(db, bundle.creator_id, audience))) throw new AppError('item_not_found')
  return presentBundle(bundle)
}
