import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { type Audience, audienceAt, isReachable } from '../../profiles/data.ts'
import { centsOf } from '../rules.ts'
import { createBundle, editBundle } from './actions.ts'
import { findBundles } from './data.ts'
import { presentBundle } from './present.ts'

export const bundleHandlers = {
  async createBundle({ context, db, viewer, client, body, now }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    const priceCents = centsOf(body.price)
    const bundleId = await createBundle(db, { creatorId: viewer.id, title: body.title, priceCents, now })
    return oneBundle(db, bundleId, { ...viewer, place: client.place }, now)
  },
  async bundle({ db, viewer, client, params, now }) {
    return oneBundle(db, params.id, { ...viewer, place: client.place }, now)
  },
  async editBundle({ context, db, viewer, client, body, now }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    const { bundleId, title, mediaIds } = body
    await editBundle(db, { bundleId, editorId: viewer.id, title, priceCents: centsOf(body.price), mediaIds })
    return oneBundle(db, bundleId, { ...viewer, place: client.place }, now)
  },
  async bundles({ db, viewer, client, query, now }) {
    if (!(await isReachable(db, query.creatorId, audienceAt(viewer, client.place)))) return { bundles: [] }
    const bundles = await findBundles(db, { creatorId: query.creatorId }, viewer.id, now)
    return { bundles: bundles.map(presentBundle) }
  },
} satisfies Partial<Handlers>

async function oneBundle(db: Db, bundleId: string, audience: Audience & { id: string }, now: Date) {
  const [bundle] = await findBundles(db, { bundleId }, audience.id, now)
  if (!bundle || !(await isReachable(db, bundle.creator_id, audience))) throw new AppError('item_not_found')
  return presentBundle(bundle)
}
