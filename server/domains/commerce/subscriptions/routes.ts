import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { type Audience, audienceAt, isReachable } from '../../profiles/data.ts'
import { presentPerson } from '../present.ts'
import { centsOf } from '../rules.ts'
import { createPlan, editPlan } from './actions.ts'
import { findPlans } from './data.ts'
import { presentPlan } from './present.ts'

export const subscriptionHandlers: Handlers<
  'createSubscription' | 'subscription' | 'editSubscription' | 'subscriptions' | 'yourSubscriptions'
> = {
  async createSubscription({ context, db, viewer, client, body, now }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    const planId = await createPlan(db, {
      creatorId: viewer.id,
      title: body.title,
      priceCents: centsOf(body.price),
      chatEnabled: body.chatEnabled,
      now,
    })
    return onePlan(db, planId, audienceAt(viewer, client.place), now)
  },
  async subscription({ db, viewer, client, params, now }) {
    return onePlan(db, params.id, audienceAt(viewer, client.place), now)
  },
  async editSubscription({ context, db, viewer, client, body, now }) {
    if (!context.publishingOpen) throw new AppError('publishing_closed')
    await editPlan(db, {
      planId: body.subscriptionId,
      editorId: viewer.id,
      title: body.title,
      priceCents: centsOf(body.price),
      chatEnabled: body.chatEnabled,
      mediaIds: body.mediaIds,
    })
    return onePlan(db, body.subscriptionId, audienceAt(viewer, client.place), now)
  },
  async subscriptions({ db, viewer, client, query, now }) {
    if (!(await isReachable(db, query.userId, audienceAt(viewer, client.place)))) return { subscriptions: [] }
    const plans = await findPlans(db, { creatorId: query.userId }, viewer?.id ?? null)
    return { subscriptions: plans.map((plan) => presentPlan(plan, now)) }
  },
  async yourSubscriptions({ db, viewer, query, now }) {
    const plans = await findPlans(db, { fanId: viewer.id, planIds: query.ids }, viewer.id)
    return {
      items: plans.map((plan) => ({
        creator: presentPerson(plan.creator_id, plan.creatorUsername, plan.creatorHiddenAt),
        subscription: presentPlan(plan, now),
      })),
    }
  },
}

async function onePlan(db: Db, planId: string, audience: Audience, now: Date) {
  const [plan] = await findPlans(db, { planId }, audience.id)
  if (!plan || !(await isReachable(db, plan.creator_id, audience))) throw new AppError('item_not_found')
  return presentPlan(plan, now)
}
