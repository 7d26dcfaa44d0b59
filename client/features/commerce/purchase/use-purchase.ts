import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import type { Buyable } from '../../../lib/buyable.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
import {
  isUndecided,
  openPurchaseQuery,
  type Purchase,
  purchaseStatusQuery,
  refreshEverything,
  sendPurchase,
} from '../api.ts'
import type { CardToken } from './card-frame/messages.ts'
import { CardRefused } from './card-frame/refusal.ts'

type Attempt = Parameters<typeof sendPurchase>[0]

export type PurchaseState =
  | { step: 'looking' }
  | { step: 'form'; error: string | null }
  | { step: 'paying' }
  /** The answer never came. The same attempt can be asked for again without being charged twice. */
  | { step: 'unanswered'; error: string }
  | { step: 'undecided'; purchase: Purchase }
  | { step: 'done'; purchase: Purchase }

/**
 * One purchase from card to answer. What a reload or a crash left undecided is found again by asking the server for
 * this item's open purchase, so that nobody pays twice for not having seen the answer.
 */
export function usePurchase(item: Buyable): {
  state: PurchaseState
  pay: (token: () => Promise<CardToken>) => Promise<void>
  askAgain: () => Promise<void>
} {
  const client = useQueryClient()
  const [local, setLocal] = useState<PurchaseState>({ step: 'form', error: null })
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const open = useQuery(openPurchaseQuery(item.kind, item.itemId))
  const found = open.data?.purchase
  // Followed to its end from here on: once it is decided, nothing is open any more.
  useLayoutEffect(() => {
    if (!found) return
    setLocal((before) => (before.step === 'form' ? { step: 'undecided', purchase: found } : before))
  }, [found])
  const watched = local.step === 'undecided' ? local.purchase : null
  const status = useQuery({ ...purchaseStatusQuery(watched?._id ?? ''), enabled: Boolean(watched) })

  const settle = (purchase: Purchase) => {
    setAttempt(null)
    if (isUndecided(purchase)) return setLocal({ step: 'undecided', purchase })
    if (purchase.status !== 'captured') return setLocal({ step: 'form', error: purchase.message })
    setLocal({ step: 'done', purchase })
    void refreshEverything(client)
  }

  const send = async (next: Attempt) => {
    setLocal({ step: 'paying' })
    try {
      settle(await sendPurchase(next))
    } catch (error) {
      const lost =
        !(error instanceof ApiError) ||
        error.status === 0 ||
        error.status >= 500 ||
        error.code === 'request_in_flight'
      if (lost) return setLocal({ step: 'unanswered', error: errorMessage(error) })
      setAttempt(null)
      setLocal({ step: 'form', error: error.message })
      if (error.code === 'purchase_in_progress') void open.refetch()
      if (error.code === 'price_changed') void refreshEverything(client)
    }
  }

  const pay = async (cardToken: () => Promise<CardToken>) => {
    setLocal({ step: 'paying' })
    try {
      const token = await cardToken()
      const next = {
        key: idempotencyKey(),
        body: { kind: item.kind, itemId: item.itemId, price: item.price, ...token },
      }
      setAttempt(next)
      await send(next)
    } catch (error) {
      // Without a sentence of its own a refusal is said at the fields.
      const sentence = error instanceof CardRefused ? error.message || null : errorMessage(error)
      setLocal({ step: 'form', error: sentence })
    }
  }

  const askAgain = async () => {
    if (attempt) await send(attempt)
  }

  return { state: stateOf(), pay, askAgain }

  function stateOf(): PurchaseState {
    if (local.step === 'form' && open.isPending) return { step: 'looking' }
    if (!watched) return local
    const purchase = status.data ?? watched
    if (isUndecided(purchase)) return { step: 'undecided', purchase }
    if (purchase.status === 'captured') return { step: 'done', purchase }
    return { step: 'form', error: purchase.message }
  }
}
