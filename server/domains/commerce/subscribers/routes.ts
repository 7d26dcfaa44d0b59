import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { extendSubscription, giveFreeDays } from './actions.ts'
import { findSubscriber, listSubscribers } from './data.ts'
import { presentSubscriber } from './present.ts'
import { subscribersRefusal } from './rules.ts'

export const subscriberHandlers = {
  async subscribers({ db, viewer, query, now }) {
    const { userId: creatorId = viewer.id } = query
    const refused = subscribersRefusal(viewer, creatorId)
    if (refused) throw new AppError(refused)
    const rows = await listSubscribers(db, creatorId, query)
    return toPage(rows, query, (row) => presentSubscriber(row, now))
  },
  async giveFreeDays({ db, viewer, body, now }) {
    const { subscriberId, subscriptionId: planId, creatorId = viewer.id, days, reason } = body
    const id = await giveFreeDays(db, { actor: viewer, subscriberId, planId, creatorId, days, reason, now })
    return presentSubscriber(await findSubscriber(db, id), now)
  },
  async extendSubscription({ db, viewer, body, now }) {
    const { subscriberId, subscriptionId: planId, months, reason } = body
    const id = await extendSubscription(db, { actor: viewer, subscriberId, planId, months, reason, now })
    return presentSubscriber(await findSubscriber(db, id), now)
  },
} satisfies Partial<Handlers>
