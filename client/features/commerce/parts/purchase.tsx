import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { afterLogin } from '../../../lib/redirect.ts'
import { useSession } from '../../../lib/session.tsx'
import { forgetWish, keepWish, keptWish } from '../../../lib/wish.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { asBuyable, type Buyable, wishLabel } from './buyable.ts'

const load = () => import('../purchase/PurchaseDialog.tsx').then((module) => module.PurchaseDialog)
const PurchaseDialog = lazyPart(load)

/** `onShown`: once the dialog stands, or what says that its code couldn't be loaded. */
type Buy = (item: Buyable, onShown?: () => void) => void

/**
 * Opens the purchase dialog for an item. Visitors sign up or log in first, people without a confirmed email confirm it;
 * what they wished to buy is kept meanwhile, and the dialog opens by itself when they come back to this page. `onRefused`:
 * it isn’t sold, or at other terms than the page shows.
 */
export function usePurchase({ onRefused }: { onRefused?: (item: Buyable) => void } = {}): {
  buy: Buy
  dialog: ReactNode
  isOpen: boolean
} {
  const { loggedIn, currentUser } = useSession()
  const verified = currentUser?.verifiedEmail === 'verified'
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [shown, setShown] = useState<{
    item: Buyable
    opening: number
    opened: boolean
    onShown: (() => void) | undefined
  } | null>(null)

  const open: Buy = (item, onShown) => {
    setShown((before) => ({ item, opening: (before?.opening ?? 0) + 1, opened: true, onShown }))
    if (onShown) load().catch(onShown)
  }
  const buy: Buy = (item, onShown) => {
    const path = pathname + search
    if (!verified) keepWish({ label: wishLabel(item), path, thing: item })
    if (loggedIn) return open(item, onShown)
    afterLogin.save(path)
    void navigate(paths.signup)
  }
  // Also once the email is verified, for who closed the dialog before.
  const reopen = useEffectEvent(() => {
    const wish = keptWish()
    const item = asBuyable(wish?.thing)
    // An unverified person who closed it here looks around first.
    const isDue = shown ? verified && !shown.opened : true
    if (item && wish?.path === pathname + search && isDue) open(item)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to look.
  useEffect(() => {
    if (loggedIn) reopen()
  }, [loggedIn, verified, pathname, search])

  const close = () => {
    // Who goes to verify their email still wants it.
    if (verified) forgetWish()
    setShown((before) => before && { ...before, opened: false })
  }
  const dialog = shown && (
    <PurchaseDialog
      key={shown.opening}
      item={shown.item}
      opened={shown.opened}
      onClose={close}
      onShown={shown.onShown}
      onRefused={onRefused}
    />
  )
  return { buy, dialog, isOpen: shown?.opened ?? false }
}
