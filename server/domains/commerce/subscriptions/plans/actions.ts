import { sql } from 'kysely'
import { MAX_MEDIA_SELECTED } from '../../../../../contract/constants.ts'
import { formatMoney } from '../../../../../contract/money.ts'
import { type Includes, MAX_TERM_CENTS } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { changeHeld } from '../../actions.ts'
import {
  type HeldChange,
  offered,
  requireOwnMedia,
  type ShowingChange,
  showingColumns,
  wasSold,
} from '../../data.ts'
import { changePrice } from '../../price-changes/actions.ts'
import { lockRenewing } from '../../price-changes/data.ts'
import { keepsPrices, samePrices } from '../../price-changes/rules.ts'
import { editRefusal } from '../../rules.ts'
import { offeredTerms } from '../data.ts'
import { areTermsPayable, type PlanPrices } from '../rules.ts'

/** A creator's input for a plan. */
type PlanTerms = { title: string; priceCents: number; chatEnabled: boolean; includes: Includes }

/** Puts a monthly subscription on sale, with all locked media or still empty; returns its id. */
export async function createPlan(
  db: Tx,
  plan: PlanTerms & { creatorId: string; terms: Term[]; now: Date },
): Promise<string> {
  await lockFilling(db, plan.creatorId)
  const { id } = await db
    .insertInto('subscription_plans')
    .values({ creator_id: plan.creatorId, ...columnsOf(plan), created_at: plan.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sellFor(db, id, { price_cents: plan.priceCents, terms: plan.terms })
  if (plan.includes === 'allLocked') await fillPlan(db, id, plan.creatorId)
  return id
}

type Term = PlanPrices['terms'][number]

/** Sells a plan for these terms beside one month, and no others. Throws `invalid_input` naming `terms`. */
async function sellFor(db: Tx, planId: string, prices: PlanPrices): Promise<void> {
  if (!areTermsPayable(prices))
    throw new AppError('invalid_input', {
      details: { terms: `A term can cost ${formatMoney(MAX_TERM_CENTS)} at most.` },
    })
  await db.deleteFrom('subscription_plan_terms').where('plan_id', '=', planId).execute()
  if (prices.terms.length === 0) return
  await db
    .insertInto('subscription_plan_terms')
    .values(
      prices.terms.flatMap(({ months, discountPercent: discount_percent }) =>
        months === 1 ? [] : { plan_id: planId, months, discount_percent },
      ),
    )
    .execute()
}

function columnsOf({ title, priceCents, chatEnabled, includes }: PlanTerms) {
  const includesAll = includes === 'allLocked'
  return { title, price_cents: priceCents, chat_enabled: chatEnabled, includes_all: includesAll }
}

/**
 * Changes what is sold from now on, but for what is undefined: `mediaIds` are what is chosen, `excludedMediaIds` what stays
 * out of all locked media.
 * Throws `item_not_found`, `not_owner`, or `invalid_input` naming `mediaIds` or `coverMediaId`.
 */
export async function editPlan(
  db: Tx,
  edit: ShowingChange & { [Name in keyof PlanTerms]: PlanTerms[Name] | undefined } & {
    planId: string
    editorId: string
    terms: Term[] | undefined
    /** Subscribers who pay less are asked for the new price, where it is raised or is asked for already. */
    askSubscribers: boolean
    now: Date
    mediaIds: string[] | undefined
    excludedMediaIds: string[] | undefined
  },
): Promise<void> {
  const { planId, editorId, excludedMediaIds } = edit
  await lockFilling(db, editorId)
  const changed = await lockChanged(db, edit)
  const before = await lockPlan(db, planId, editorId)
  if (changed) await sellFor(db, planId, changed.prices)
  const {
    title = before.title,
    priceCents = before.price_cents,
    chatEnabled = before.chat_enabled,
    includes = before.includes_all ? 'allLocked' : 'chosen',
  } = edit
  const showing = await showingColumns(db, editorId, edit)
  await db
    .updateTable('subscription_plans')
    .set({ ...columnsOf({ title, priceCents, chatEnabled, includes }), ...showing })
    .where('id', '=', planId)
    .execute()
  if (changed) {
    // Once more, as some may have begun or resumed while this waited for the plan.
    const subscriptionIds = await lockRenewing(db, planId)
    await changePrice(db, { ...changed, planId, title, subscriptionIds, now: edit.now })
  }
  if (includes === 'chosen' || excludedMediaIds) {
    await db
      .deleteFrom('subscription_plan_exclusions')
      .where('plan_id', '=', planId)
      .where('media_id', 'in', offered(db, editorId))
      .execute()
  }
  if (includes === 'allLocked') {
    await exclude(db, planId, editorId, excludedMediaIds ?? [])
    return fillPlan(db, planId, editorId)
  }
  if (!edit.mediaIds) return
  const mediaIds = await requireOwnMedia(db, editorId, edit.mediaIds)
  await db
    .deleteFrom('subscription_plan_media')
    .where('plan_id', '=', planId)
    .where('media_id', 'in', offered(db, editorId))
    .execute()
  if (mediaIds.length === 0) return
  await db
    .insertInto('subscription_plan_media')
    .values(mediaIds.map((media_id, position) => ({ plan_id: planId, media_id, position })))
    .execute()
}

type PriceEdit = {
  planId: string
  editorId: string
  priceCents: number | undefined
  terms: Term[] | undefined
  askSubscribers: boolean
}

/**
 * The new prices of a plan, whose subscribers are locked before the plan as a purchase does; null when nothing
 * changes for anybody. The caller holds `lockFilling`, so that no other edit comes between.
 */
async function lockChanged(db: Tx, { planId, editorId, terms, askSubscribers, ...edit }: PriceEdit) {
  const before = await db
    .selectFrom('subscription_plans')
    .innerJoin('users', 'users.id', 'creator_id')
    .leftJoin('price_changes as open', (join) =>
      join.onRef('open.plan_id', '=', 'subscription_plans.id').on('open.closed_at', 'is', null),
    )
    .select(['subscription_plans.price_cents', 'username', 'open.id as openId'])
    .select(offeredTerms(sql`subscription_plans.id`))
    .where('subscription_plans.id', '=', planId)
    .where('creator_id', '=', editorId)
    .executeTakeFirst()
  if (!before) return null
  const { priceCents = before.price_cents } = edit
  const prices = { price_cents: priceCents, terms: terms ?? before.terms }
  // Asked again at the same price, everybody keeps what they answered, or isn't asked at all.
  if (samePrices(before, prices)) return null
  const ask = askSubscribers && (priceCents > before.price_cents || before.openId !== null)
  const keepsOpen = before.openId !== null && keepsPrices(before, prices)
  await lockRenewing(db, planId)
  return { prices, ask, keepsOpen, creator: before.username, creatorId: editorId }
}

/** No item of the creator's becomes locked meanwhile: the triggers that put items in take the same lock. */
async function lockFilling(db: Tx, creatorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plans ' || ${creatorId}::text, 0))`.execute(db)
}

async function lockPlan(db: Tx, planId: string, editorId: string) {
  const plan = await db
    .selectFrom('subscription_plans')
    .select(['creator_id', 'title', 'price_cents', 'chat_enabled', 'includes_all'])
    .where('id', '=', planId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const refused = editRefusal(plan, editorId)
  if (refused || !plan) throw new AppError(refused ?? 'item_not_found')
  return plan
}

/** Puts in all that is locked and not excluded; what is there already stays. */
async function fillPlan(db: Tx, planId: string, creatorId: string): Promise<void> {
  await sql`
    insert into subscription_plan_media (plan_id, media_id, position)
    select ${planId}::uuid, media.id, 0 from media
    where media.creator_id = ${creatorId} and fills_plans(media)
      and not exists (
        select from subscription_plan_exclusions as out where out.plan_id = ${planId} and out.media_id = media.id
      )
      and not exists (
        select from subscription_plan_media as held where held.plan_id = ${planId} and held.media_id = media.id
      )
    order by media.id
    on conflict do nothing`.execute(db)
}

/** Takes own items out of a plan of all locked media, for good; returns those that were in it. */
async function exclude(db: Tx, planId: string, editorId: string, mediaIds: string[]): Promise<string[]> {
  if (mediaIds.length === 0) return []
  await sql`
    insert into subscription_plan_exclusions (plan_id, media_id)
    select ${planId}::uuid, id from media where creator_id = ${editorId} and id = any(${mediaIds}::uuid[])
    on conflict do nothing`.execute(db)
  const { excluded } = await db
    .selectFrom('subscription_plan_exclusions')
    .select((eb) => eb.fn.countAll<number>().as('excluded'))
    .where('plan_id', '=', planId)
    .executeTakeFirstOrThrow()
  if (excluded > MAX_MEDIA_SELECTED)
    throw new AppError('invalid_input', {
      details: { excludedMediaIds: `You can leave out at most ${MAX_MEDIA_SELECTED} items.` },
    })
  const removed = await db
    .deleteFrom('subscription_plan_media')
    .where('plan_id', '=', planId)
    .where('media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .returning('media_id')
    .execute()
  return removed.map(({ media_id }) => media_id)
}

/** Puts items in and takes others out, as `changeHeld` does. Throws `item_not_found`, `not_owner`, or `invalid_input`. */
export async function editPlanMedia(db: Tx, planId: string, change: HeldChange) {
  const { editorId } = change
  await lockFilling(db, editorId)
  const { includes_all } = await lockPlan(db, planId, editorId)
  if (!includes_all) return changeHeld(db, 'plan', planId, change)
  const add = await requireOwnMedia(db, editorId, change.add)
  const removed = await exclude(db, planId, editorId, change.remove)
  if (add.length === 0) return { added: [], removed }
  await db
    .deleteFrom('subscription_plan_exclusions')
    .where('plan_id', '=', planId)
    .where('media_id', '=', sql<string>`any(${add}::uuid[])`)
    .execute()
  const added = await db
    .insertInto('subscription_plan_media')
    .values(add.map((media_id) => ({ plan_id: planId, media_id, position: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('media_id')
    .execute()
  return { added: added.map(({ media_id }) => media_id), removed }
}

/** Stops selling a plan from this moment, or with null sells it again. Throws `item_not_found`, `not_owner`. */
export async function retirePlan(db: Tx, planId: string, editorId: string, retiredAt: Date | null) {
  await lockPlan(db, planId, editorId)
  await db.updateTable('subscription_plans').set({ retired_at: retiredAt }).where('id', '=', planId).execute()
}

/** Deletes a plan that nobody ever had. Throws `item_not_found`, `not_owner`, `was_sold`. */
export async function deletePlan(db: Tx, planId: string, editorId: string, now: Date): Promise<void> {
  await lockPlan(db, planId, editorId)
  const deleted = await db
    .updateTable('subscription_plans')
    .set({ deleted_at: now })
    .where('id', '=', planId)
    .where((eb) => eb.not(wasSold('subscription', sql`${planId}::uuid`)))
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw new AppError('was_sold')
}

/** Ends what a creator whose account is erased had on sale; plans that money was paid for stay, without their words. */
export async function erasePlans(tx: Tx, creatorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('subscription_plans')
    .set((eb) => ({
      title: 'Deleted',
      description: '',
      cover_media_id: null,
      includes_all: false,
      deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)),
    }))
    .where('creator_id', '=', creatorId)
    .execute()
  const plans = tx.selectFrom('subscription_plans').select('id').where('creator_id', '=', creatorId)
  await tx.deleteFrom('subscription_plan_terms').where('plan_id', 'in', plans).execute()
  await tx.deleteFrom('subscription_plan_media').where('plan_id', 'in', plans).execute()
  await tx.deleteFrom('subscription_plan_exclusions').where('plan_id', 'in', plans).execute()
}
