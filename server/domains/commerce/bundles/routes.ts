import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { isReachable } from '../../profiles/data.ts'
import { requirePrice } from '../actions.ts'
import { coversOf, type Looking } from '../data.ts'
import { createBundle, deleteBundle, editBundle, editBundleMedia, retireBundle } from './actions.ts'
import { findBundles } from './data.ts'
import { presentBundle } from './present.ts'

export const bundleHandlers = {
  async createBundle({ db, viewer, body, ...request }) {
    const priceCents = requirePrice(request.context.config, body.price)
    const { title, lessOwned } = body
    const bundle = { creatorId: viewer.id, title, priceCents, lessOwned, now: request.now }
    return oneBundle(db, await createBundle(db, bundle), request)
  },
  async bundle({ db, params, ...request }) {
    return oneBundle(db, params.id, request)
  },
  async editBundle({ db, viewer, body, ...request }) {
    const priceCents = body.price === undefined ? undefined : requirePrice(request.context.config, body.price)
    await editBundle(db, { ...body, editorId: viewer.id, priceCents })
    return oneBundle(db, body.bundleId, request)
  },
  async editBundleMedia({ db, viewer, body: { bundleId, addMediaIds, removeMediaIds } }) {
    const change = { editorId: viewer.id, add: addMediaIds, remove: removeMediaIds }
    const { added, removed } = await editBundleMedia(db, bundleId, change)
    return { addedMediaIds: added, removedMediaIds: removed }
  },
  async retireBundle({ db, viewer, body, ...request }) {
    await retireBundle(db, body.bundleId, viewer.id, body.retired ? request.now : null)
    return oneBundle(db, body.bundleId, request)
  },
  async deleteBundle({ db, viewer, body, now }) {
    await deleteBundle(db, body.bundleId, viewer.id, now)
    return { success: true }
  },
  async bundles({ db, query, ...request }) {
    const { audience, now } = request
    if (!(await isReachable(db, query.creatorId, audience))) return { bundles: [] }
    const bundles = await findBundles(db, { creatorId: query.creatorId }, audience, now)
    const covers = await coversOf(request, db, bundles)
    return { bundles: bundles.map((bundle) => presentBundle(bundle, covers, request.context.config)) }
  },
} satisfies Partial<Handlers>

type LoggedIn = Looking & { audience: { id: string }; context: Pick<Context, 'config'> }

async function oneBundle(db: Db, bundleId: string, looking: LoggedIn) {
  const [bundle] = await findBundles(db, { bundleId }, looking.audience, looking.now)
  if (!bundle || !(await isReachable(db, bundle.creator_id, looking.audience)))
    throw new AppError('item_not_found')
  return presentBundle(bundle, await coversOf(looking, db, [bundle]), looking.context.config)
}
