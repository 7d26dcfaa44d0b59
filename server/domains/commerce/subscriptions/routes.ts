import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { presentPerson } from '../present.ts'
import { centsOf } from '../rules.ts'
import { createPlan, editPlan } from './actions.ts'
import { findPlans } from './data.ts'
import { presentPlan } from './present.ts'

export const subscriptionHandlers: Handlers<
  'createSubscription' | 'subscription' | 'editSubscription' | 'subscriptions' | 'yourSubscriptions'
> = {
  async createSubscription({ context, db, viewer, body, now }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    const planId = await createPlan(db, {
      creatorId: viewer.id,
      title: body.title,
      priceCents: centsOf(body.price),
      chatEnabled: body.chatEnabled,
      now,
    })
    return onePlan(db, planId, viewer.id)
  },
  async subscription({ db, viewer, params }) {
    return onePlan(db, params.id, viewer?.id ?? null)
  },
  async editSubscription({ context, db, viewer, body }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    await editPlan(db, {
      planId: body.subscriptionId,
      editorId: viewer.id,
      title: body.title,
      priceCents: centsOf(body.price),
      chatEnabled: body.chatEnabled,
      mediaIds: body.mediaIds,
    })
    return onePlan(db, body.subscriptionId, viewer.id)
  },
  async subscriptions({ db, viewer, query }) {
    const plans = await findPlans(db, { creatorId: query.userId }, viewer?.id ?? null)
    return { subscriptions: plans.map(presentPlan) }
  },
  async yourSubscriptions({ db, viewer, query }) {
    const plans = await findPlans(db, { fanId: viewer.id, planIds: query.ids }, viewer.id)
    return {
      items: plans.map((plan) => ({
        creator: presentPerson(plan.creator_id, plan.creatorUsername, plan.creatorHiddenAt),
        subscription: presentPlan(plan),
      })),
    }
  },
}

async function onePlan(db: Db, planId: string, viewerId: string | null) {
  const [plan] = await findPlans(db, { planId }, viewerId)
  if (!plan) throw new AppError('item_not_found')
  return presentPlan(plan)
}
