import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Audience } from '../../../viewer.ts'
import { isReachable } from '../../profiles/data.ts'
import { requirePrice } from '../actions.ts'
import { presentPerson } from '../present.ts'
import { findPlans } from './data.ts'
import { createPlan, editPlan, editPlanMedia } from './plans/actions.ts'
import { presentPlan } from './present.ts'

export const subscriptionHandlers = {
  async createSubscription({ context, db, viewer, audience, body, now }) {
    const planId = await createPlan(db, {
      creatorId: viewer.id,
      title: body.title,
      priceCents: requirePrice(context.config, body.price),
      chatEnabled: body.chatEnabled,
      includes: body.includes,
      now,
    })
    return onePlan(db, planId, audience, now)
  },
  async subscription({ db, audience, params, now }) {
    return onePlan(db, params.id, audience, now)
  },
  async editSubscription({ context, db, viewer, audience, body, now }) {
    await editPlan(db, {
      planId: body.subscriptionId,
      editorId: viewer.id,
      title: body.title,
      priceCents: requirePrice(context.config, body.price),
      chatEnabled: body.chatEnabled,
      includes: body.includes,
      mediaIds: body.mediaIds,
      excludedMediaIds: body.excludedMediaIds,
    })
    return onePlan(db, body.subscriptionId, audience, now)
  },
  async editSubscriptionMedia({ db, viewer, body: { subscriptionId, addMediaIds, removeMediaIds } }) {
    const change = { editorId: viewer.id, add: addMediaIds, remove: removeMediaIds }
    const { added, removed } = await editPlanMedia(db, subscriptionId, change)
    return { addedMediaIds: added, removedMediaIds: removed }
  },
  async subscriptions({ db, audience, query, now }) {
    if (!(await isReachable(db, query.userId, audience))) return { subscriptions: [] }
    const plans = await findPlans(db, { creatorId: query.userId }, audience)
    return { subscriptions: plans.map((plan) => presentPlan(plan, now)) }
  },
  async yourSubscriptions({ db, audience, query, now }) {
    const plans = await findPlans(db, { fanId: audience.id, planIds: query.ids }, audience)
    return {
      items: plans.map((plan) => ({
        creator: presentPerson(plan.creator_id, plan.creatorUsername, plan.creatorHiddenAt),
        subscription: presentPlan(plan, now),
      })),
    }
  },
} satisfies Partial<Handlers>

async function onePlan(db: Db, planId: string, audience: Audience, now: Date) {
  const [plan] = await findPlans(db, { planId }, audience)
  if (!plan || !(await isReachable(db, plan.creator_id, audience))) throw new AppError('item_not_found')
  return presentPlan(plan, now)
}
