import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { afterLogin } from '../../../lib/redirect.ts'
import { useSession } from '../../../lib/session.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Buyable } from './buyable.ts'

const PurchaseDialog = lazyPart(() =>
  import('../purchase/PurchaseDialog.tsx').then((module) => module.PurchaseDialog),
)

/** Opens the purchase dialog for an item; visitors sign up first and come back. Its code loads when it is first opened. */
export function usePurchase(): { buy: (item: Buyable) => void; dialog: ReactNode } {
  const { loggedIn } = useSession()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [shown, setShown] = useState<{ item: Buyable; opening: number; opened: boolean } | null>(null)

  const buy = (item: Buyable) => {
    if (!loggedIn) {
      afterLogin.save(pathname + search)
      void navigate(paths.signup)
      return
    }
    setShown((before) => ({ item, opening: (before?.opening ?? 0) + 1, opened: true }))
  }
  const dialog = shown && (
    <PurchaseDialog
      key={shown.opening}
      item={shown.item}
      opened={shown.opened}
      onClose={() => setShown({ ...shown, opened: false })}
    />
  )
  return { buy, dialog }
}
