import { MAX_TIP_CENTS, MIN_TIP_CENTS } from '../../../../contract/constants.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { isTip } from '../../../../contract/orders.ts'
import type { Body } from '../../../../contract/route.ts'
import type { orderRoutes } from '../../../../contract/routes/commerce/orders.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { listPremium, listPremiumCreators } from '../../media/entitlements/unlocked/data.ts'
import { hashedNetwork } from '../cards/attempts/actions.ts'
import { buy } from '../payments/actions.ts'
import { findPayment, listStuck } from '../payments/data.ts'
import { answerTo } from '../payments/rules.ts'
import { centsOf } from '../rules.ts'
import { sellables } from '../sellables/actions.ts'
import { findLent, findOwed, findPurchase } from './data.ts'
import { presentOwed, presentPurchase } from './present.ts'

type Call = Parameters<Handlers['purchase']>[0]

/** Buys what the body says, and answers how that ended. */
async function pay(
  {
    context,
    db,
    viewer,
    audience,
    client,
    idempotencyKey,
    answer,
  }: Pick<Call, 'context' | 'db' | 'viewer' | 'audience' | 'client' | 'idempotencyKey' | 'answer'>,
  body: Call['body'],
) {
  const { kind, itemId, months, amount, price, itemCount, contentsVersion, deliveryDays, renewalPrice } = body
  if (months !== 1 && (kind !== 'subscription' || body.offerId !== undefined))
    throw new AppError('invalid_input', {
      details: { months: 'Only a subscription without an offer is sold for several months.' },
    })
  const { orderId, paymentId, first } = await buy(context, {
    buyer: { ...audience, email: viewer.email },
    kind,
    itemId,
    card: cardOf(body),
    amountCents: isTip(kind) ? tipOf(context.config, amount) : null,
    months,
    shownCents: price === undefined ? null : centsOf(price),
    shownItems: itemCount ?? null,
    shownVersion: contentsVersion ?? null,
    shownDays: deliveryDays ?? null,
    offerId: body.offerId ?? null,
    shownRenewalCents: renewalPrice === undefined ? null : centsOf(renewalPrice),
    ip: client.ip,
    network: hashedNetwork(context, client.ip),
    idempotencyKey,
  })
  const payment = await findPayment(db, paymentId)
  const purchase = await findPurchase(db, viewer.id, { orderId })
  if (!purchase || !payment) throw new AppError('internal')
  const outcome = answerTo(payment, first)
  if (typeof outcome === 'string') throw new AppError(outcome)
  answer.status(outcome)
  return presentPurchase(purchase, context.config.BRAND_NAME)
}

/** The data descriptor that Accept.js puts on every card token of ours. */
const CARD_TOKEN = 'COMMON.ACCEPT.INAPP.PAYMENT'

/** The means of payment; null when none was given, or two. */
function cardOf(body: Body<typeof orderRoutes.purchase>) {
  const { dataDescriptor, dataValue, billTo, saveCard, cardId } = body
  const isToken = dataDescriptor !== undefined && dataValue !== undefined
  if (isToken === (cardId !== undefined)) return null
  return cardId === undefined
    ? { token: { dataDescriptor: dataDescriptor ?? '', dataValue: dataValue ?? '', billTo }, saveCard }
    : { cardId }
}

/** The amount of a tip, in cents; throws `tip_amount`. */
function tipOf({ MIN_PRICE_CENTS: least }: Context['config'], amount: string | undefined): number {
  const cents = amount === undefined ? 0 : centsOf(amount)
  if (cents < Math.max(least, MIN_TIP_CENTS) || cents > MAX_TIP_CENTS) throw new AppError('tip_amount')
  return cents
}

export const orderHandlers = {
  purchase: (call) => pay(call, call.body),
  async payCustomRequest(call) {
    const { requestId: itemId, ...body } = call.body
    return pay(call, { ...body, kind: 'custom', itemId, months: 1 })
  },
  async purchaseStatus({ context, db, viewer, params }) {
    const purchase = await findPurchase(db, viewer.id, { orderId: params.purchaseId })
    if (!purchase) throw new AppError('not_found')
    return presentPurchase(purchase, context.config.BRAND_NAME)
  },
  async stuckCharges({ db, now }) {
    const rows = await listStuck(db)
    return {
      items: rows.map((row) => ({
        purchaseId: row.order_id,
        reference: row.reference,
        gatewayTransactionId: row.gateway_transaction_id,
        buyerUsername: row.username,
        title: row.title,
        amount: formatMoney(row.amount_cents),
        reason: row.reason ?? '',
        since: (row.stuck_at ?? now).toISOString(),
      })),
    }
  },
  async openPurchase({ context, db, viewer, query: { kind, itemId }, now }) {
    const purchase = await findPurchase(db, viewer.id, { openKind: kind, itemId })
    const wanted = { fanId: viewer.id, planId: itemId, now }
    const owed = kind === 'subscription' ? await findOwed(db, wanted) : undefined
    const isOwned = await sellables[kind].isOwned(db, viewer.id, { id: itemId, contents: [] })
    return {
      purchase: purchase ? presentPurchase(purchase, context.config.BRAND_NAME) : null,
      has: isOwned && !owed,
      owed: owed ? presentOwed(owed) : null,
      lent: await findLent(db, { buyerId: viewer.id, kind, itemId, now }),
    }
  },
  async testCardToken({ context, body }) {
    if (!context.payments.sandbox) throw new AppError('not_found')
    const checked = await context.payments.checkToken({
      dataDescriptor: CARD_TOKEN,
      dataValue: body.dataValue,
    })
    return checked.ok
      ? { success: true, message: 'The sandbox gateway accepts this card token.' }
      : { success: false, message: `The sandbox gateway refuses this card token (${checked.reason}).` }
  },
  async premiumContent({ context, db, audience, companion, query, now }) {
    const { showing, creator, search, ...page } = query
    const wanted = { showing, creator, search }
    return listPremium(db, audience, { ...wanted, page, signer: context.signer, companion, now })
  },
  async premiumCreators({ db, viewer, now }) {
    const rows = await listPremiumCreators(db, viewer.id, now)
    return { items: rows.map(({ id, username }) => ({ _id: id, username })) }
  },
} satisfies Partial<Handlers>
