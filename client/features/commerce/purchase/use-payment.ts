import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isTip } from '../../../../contract/orders.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
import { chatsKey, invalidate } from '../../../lib/query.ts'
import { forgetWish } from '../../../lib/wish.ts'
import { formatCount } from '../../../ui/format.ts'
import { keys, type Purchase, purchaseChanges } from '../api.ts'
import { cardsQuery } from '../cards/api.ts'
import type { Buyable } from '../parts/buyable.ts'
import { isUndecided, openPurchaseQuery, purchaseStatusQuery, sendPurchase } from './api.ts'
import { CardRefused } from './card-frame/card.ts'
import type { CardToken } from './card-frame/messages.ts'
import { purchaseTexts } from './texts.ts'

/** Answers that mean that the stored cards have changed. */
const CARD_CHANGES: string[] = ['card_not_found', 'card_expired', 'card_gone', 'too_many_cards']

/** Answers that mean that the product has changed. */
const CHANGED: string[] = ['price_changed', 'contents_changed', 'delivery_changed', 'term_not_offered']

/** Answers that mean that there is nothing to pay for, whatever is tried. */
const GONE: string[] = ['item_not_found', 'no_longer_sold']
/** The same of an offer: what it is about may still be for sale without it. */
const OFFER_GONE: string[] = ['offer_not_found', 'offer_expired', 'offer_used_up']
const HAS: string[] = ['already_owned', 'already_subscribed', 'offer_redeemed']

/** The means of payment: a card that was just typed, or a stored one. */
export type PaidBy = (CardToken & { saveCard: boolean }) | { cardId: string }

type Attempt = Parameters<typeof sendPurchase>[0]

export type PaymentState =
  | { step: 'looking' }
  | { step: 'form'; error: string | null }
  /** The gateway's script looks at the card: nothing was sent yet, and it can be called off. */
  | { step: 'checking' }
  | { step: 'paying' }
  /** The answer never came. The same attempt can be asked for again without being charged twice. */
  | { step: 'unanswered'; error: string }
  /**
   * There is nothing to buy here anymore, or it is what the buyer has already, which they may have paid just now. The reason
   * is null where the product itself is gone.
   */
  | { step: 'refused'; reason: string | null; owned: boolean; uncharged: boolean }
  | { step: 'undecided'; purchase: Purchase }
  | { step: 'done'; purchase: Purchase }

/**
 * One purchase from card to answer. What a reload or a crash left undecided is found again by asking the server for
 * this item's open purchase, so that nobody pays twice for not having seen the answer.
 */
export function usePayment(
  wanted: Buyable,
  { mayPay, onRefused }: { mayPay: boolean; onRefused?: ((item: Buyable) => void) | undefined },
): {
  /** The product, at the terms that the server named last. */
  item: Buyable
  /** Until when it pays what is owed, for somebody past due at these terms; null where it begins anew. */
  paysUntil: string | null
  /** How much of what the buyer doesn't own yet their subscriptions show them. */
  lent: 'all' | 'some' | null
  state: PaymentState
  /** Takes another term of a subscription, at this price. */
  choose: (term: { months: TermMonths; price: string }) => void
  pay: (paidBy: () => Promise<PaidBy>) => Promise<void>
  /** Calls off what was not sent to be paid yet. */
  cancel: () => void
  askAgain: () => Promise<void>
} {
  const client = useQueryClient()
  const [local, setLocal] = useState<PaymentState>({ step: 'form', error: null })
  const rounds = useRef(0)
  const [item, setItem] = useState(wanted)
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [refusals, setRefusals] = useState(0)
  const open = useQuery({ ...openPurchaseQuery(item.kind, item.itemId), enabled: mayPay })
  const found = open.data?.purchase
  // Followed until the payment is decided.
  useLayoutEffect(() => {
    if (!found) return
    setLocal((before) => (before.step === 'form' ? { step: 'undecided', purchase: found } : before))
  }, [found])
  const watched = local.step === 'undecided' ? local.purchase : null
  const status = useQuery({ ...purchaseStatusQuery(watched?._id ?? ''), enabled: Boolean(watched) })

  const recordOutcome = (purchase: Purchase) => {
    setAttempt(null)
    if (isUndecided(purchase)) return setLocal({ step: 'undecided', purchase })
    if (purchase.status !== 'captured') return setLocal({ step: 'form', error: purchase.message })
    setLocal({ step: 'done', purchase })
  }

  /** An attempt of another window may still be charged. What a failed refetch has is what was known before. */
  const lookForOther = async (reason: string | null) => {
    const asked = await open.refetch()
    if (!asked.isSuccess) return
    const other = asked.data.purchase
    setLocal(
      other
        ? { step: 'undecided', purchase: other }
        : { step: 'refused', reason, owned: false, uncharged: true },
    )
  }

  const send = async (next: Attempt) => {
    setLocal({ step: 'paying' })
    try {
      recordOutcome(await sendPurchase(next))
    } catch (error) {
      const lost =
        !(error instanceof ApiError) ||
        error.status === 0 ||
        error.status >= 500 ||
        error.code === 'request_in_flight'
      if (lost) return setLocal({ step: 'unanswered', error: errorMessage(error) })
      setAttempt(null)
      const isGone = GONE.includes(error.code) || OFFER_GONE.includes(error.code)
      if (isGone || HAS.includes(error.code)) {
        const reason = GONE.includes(error.code) ? null : error.message
        const owned = error.code.startsWith('already_')
        setLocal({ step: 'refused', reason, owned, uncharged: false })
        if (error.code.startsWith('offer_')) invalidate(client, purchaseChanges)
        forgetWish()
        setRefusals((before) => before + 1)
        onRefused?.(item)
        if (isGone) await lookForOther(reason)
        return
      }
      setLocal({ step: 'form', error: refusalText(error, item) })
      if (error.code === 'purchase_in_progress' || CHANGED.includes(error.code)) void open.refetch()
      if (CARD_CHANGES.includes(error.code)) invalidate(client, [cardsQuery.queryKey])
      if (CHANGED.includes(error.code)) setItem((before) => withTerms(before, error.details))
      if (CHANGED.includes(error.code) || error.code.startsWith('offer_')) invalidate(client, purchaseChanges)
      if (CHANGED.includes(error.code)) onRefused?.(item)
    }
  }

  const pay = async (card: () => Promise<PaidBy>) => {
    const round = ++rounds.current
    setLocal({ step: 'checking' })
    try {
      const paidBy = await card()
      if (round !== rounds.current) return
      const next = {
        key: idempotencyKey(),
        body: {
          kind: item.kind,
          itemId: item.itemId,
          months: item.months,
          amount: isTip(item.kind) ? item.price : undefined,
          price: item.price,
          itemCount: item.itemCount,
          contentsVersion: item.contentsVersion,
          deliveryDays: item.deliveryDays,
          offerId: item.offerId,
          renewalPrice: item.trial?.renewalPrice,
          ...paidBy,
        },
      }
      setAttempt(next)
      await send(next)
    } catch (error) {
      if (round !== rounds.current) return
      // Without a sentence of its own a refusal is said at the fields.
      const sentence = error instanceof CardRefused ? error.message || null : errorMessage(error)
      setLocal({ step: 'form', error: sentence })
    }
  }

  const cancel = () => {
    if (local.step !== 'checking') return
    rounds.current += 1
    setLocal({ step: 'form', error: null })
  }

  const askAgain = async () => {
    if (attempt) await send(attempt)
  }

  const has = open.data?.has === true
  useEffect(() => {
    if (has) forgetWish()
  }, [has])
  const state = stateOf()
  const paid = state.step === 'done'
  const { kind } = item
  useEffect(() => {
    if (!paid) return
    forgetWish()
    const changed = purchaseChanges.filter((key) => kind === 'subscription' || key !== keys.subscriptions)
    invalidate(client, changed)
    invalidate(client, [chatsKey], { refetchType: 'none' })
  }, [paid, kind, client])
  // Once the form is gone, whose own query would ask for what isn't there anymore.
  useEffect(() => {
    if (refusals > 0) invalidate(client, [...purchaseChanges, chatsKey])
  }, [refusals, client])
  const choose = (term: { months: TermMonths; price: string }) =>
    setItem((before) => ({ ...before, ...term }))
  const owed = open.data?.owed
  const paysOwed = owed && !item.offerId && owed.price === item.price && owed.months === (item.months ?? 1)
  const paysUntil = paysOwed ? owed.paidUntil : null
  return { item, paysUntil, lent: open.data?.lent ?? null, state, choose, pay, cancel, askAgain }

  function stateOf(): PaymentState {
    if (local.step === 'form' && open.isPending) return { step: 'looking' }
    if (local.step === 'form' && has)
      return { step: 'refused', reason: purchaseTexts.has(item.kind), owned: true, uncharged: false }
    if (!watched) return local
    const purchase = status.data ?? watched
    if (isUndecided(purchase)) return { step: 'undecided', purchase }
    if (purchase.status === 'captured') return { step: 'done', purchase }
    return { step: 'form', error: purchase.message }
  }
}

/**
 * The sentence of a refusal, with what else is told at once: the number of items of now, as the place that shows it may be
 * scrolled out of sight, and that a product of another price holds others.
 */
function refusalText({ code, message, details }: ApiError, { itemCount, contentsVersion }: Buyable): string {
  if (code !== 'contents_changed' && code !== 'price_changed') return message
  const count = Number(details.itemCount)
  if (Number.isInteger(count) && count !== itemCount) return purchaseTexts.itemsNow(message, count)
  const areOthers = contentsVersion !== undefined && details.contentsVersion !== contentsVersion
  return code === 'price_changed' && areOthers ? purchaseTexts.contentsToo(message) : message
}

/** The item at the terms that the server names when it refuses others (`price_changed` and the like). */
function withTerms(item: Buyable, terms: Record<string, string>): Buyable {
  const count = terms.itemCount === undefined ? undefined : Number(terms.itemCount)
  const { reduction: _before, ...rest } = item
  const { fullPrice, ownedCount } = terms
  const { contentsVersion } = terms
  const counted = count !== undefined && item.itemCount !== undefined
  const changed =
    counted && (count !== item.itemCount || (contentsVersion && contentsVersion !== item.contentsVersion))
  return {
    ...(terms.price === undefined ? item : rest),
    price: terms.price ?? item.price,
    ...(fullPrice && ownedCount ? { reduction: { fullPrice, owned: Number(ownedCount) } } : {}),
    ...(changed ? { itemCount: count, mediaCount: formatCount(count, 'item') } : {}),
    ...(contentsVersion && item.contentsVersion ? { contentsVersion } : {}),
    ...(item.deliveryDays !== undefined && terms.deliveryDays !== undefined
      ? { deliveryDays: Number(terms.deliveryDays) }
      : {}),
    ...(item.trial && terms.renewalPrice
      ? { trial: { ...item.trial, renewalPrice: terms.renewalPrice } }
      : {}),
  }
}
