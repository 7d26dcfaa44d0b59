import { formatMoney } from '../../../../contract/money.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { isReachable } from '../../profiles/data.ts'
import { requirePrice } from '../actions.ts'
import { findOwed } from '../cards/data.ts'
import { coversOf, type Looking } from '../data.ts'
import { absenceOfCreator, presentParty } from '../present.ts'
import { findOpenChange } from '../price-changes/data.ts'
import { editRefusal } from '../rules.ts'
import { findPlans, findSeller, type PlanRow } from './data.ts'
import { createPlan, deletePlan, editPlan, editPlanMedia, retirePlan } from './plans/actions.ts'
import { presentPlan } from './present.ts'

export const subscriptionHandlers = {
  async createSubscription({ db, viewer, body, ...request }) {
    const planId = await createPlan(db, {
      creatorId: viewer.id,
      title: body.title,
      priceCents: requirePrice(request.context.config, body.price),
      chatEnabled: body.chatEnabled,
      includes: body.includes,
      terms: body.terms,
      now: request.now,
    })
    return onePlan(db, planId, request)
  },
  async subscription({ db, params, ...request }) {
    return onePlan(db, params.id, request)
  },
  async editSubscription({ db, viewer, body, ...request }) {
    await editPlan(db, {
      planId: body.subscriptionId,
      editorId: viewer.id,
      title: body.title,
      priceCents: body.price === undefined ? undefined : requirePrice(request.context.config, body.price),
      chatEnabled: body.chatEnabled,
      description: body.description,
      coverMediaId: body.coverMediaId,
      includes: body.includes,
      terms: body.terms,
      askSubscribers: body.askSubscribers,
      now: request.now,
      mediaIds: body.mediaIds,
      excludedMediaIds: body.excludedMediaIds,
    })
    return onePlan(db, body.subscriptionId, request)
  },
  async editSubscriptionMedia({ db, viewer, body: { subscriptionId, addMediaIds, removeMediaIds } }) {
    const change = { editorId: viewer.id, add: addMediaIds, remove: removeMediaIds }
    const { added, removed } = await editPlanMedia(db, subscriptionId, change)
    return { addedMediaIds: added, removedMediaIds: removed }
  },
  async retireSubscription({ db, viewer, body, ...request }) {
    await retirePlan(db, body.subscriptionId, viewer.id, body.retired ? request.now : null)
    return onePlan(db, body.subscriptionId, request)
  },
  async deleteSubscription({ db, viewer, body, now }) {
    await deletePlan(db, body.subscriptionId, viewer.id, now)
    return { success: true }
  },
  async priceChange({ db, viewer, params }) {
    const refused = editRefusal(await findSeller(db, params.id), viewer.id)
    if (refused) throw new AppError(refused)
    const open = await findOpenChange(db, params.id)
    if (!open) return { change: null }
    const { price_cents: cents, created_at: askedAt, agreed, declined, waiting, left } = open
    return {
      change: { price: formatMoney(cents), askedAt: askedAt.toISOString(), agreed, declined, waiting, left },
    }
  },
  async subscriptions({ db, query, ...request }) {
    const { audience } = request
    if (!(await isReachable(db, query.userId, audience))) return { subscriptions: [] }
    const plans = await findPlans(db, { creatorId: query.userId }, audience)
    const shown = await shownWith(db, plans, request)
    return { subscriptions: plans.map((plan) => presentPlan(plan, shown, request.now)) }
  },
  async yourSubscriptions({ db, query, ...request }) {
    const { audience } = request
    const plans = await findPlans(db, { fanId: audience.id, planIds: query.ids }, audience)
    const shown = await shownWith(db, plans, request)
    return {
      items: plans.map((plan) => ({
        creator: presentParty(plan.creator_id, plan.creatorUsername, absenceOfCreator(plan)),
        subscription: presentPlan(plan, shown, request.now),
      })),
    }
  },
} satisfies Partial<Handlers>

async function onePlan(db: Db, planId: string, looking: Looking) {
  const [plan] = await findPlans(db, { planId }, looking.audience)
  if (!plan || !(await isReachable(db, plan.creator_id, looking.audience)))
    throw new AppError('item_not_found')
  return presentPlan(plan, await shownWith(db, [plan], looking), looking.now)
}

/** The covers of these plans, and what the viewer owes of them or is paying. */
async function shownWith(db: Db, plans: PlanRow[], looking: Looking) {
  const covers = await coversOf(looking, db, plans)
  const { id } = looking.audience
  const debtor = plans.some(({ status }) => status === 'past_due') ? id : null
  return { covers, ...(await findOwed(db, debtor, looking.now)) }
}
