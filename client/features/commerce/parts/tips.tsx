import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { TipReceiver } from './buyable.ts'
import type { usePurchase } from './purchase.tsx'

const TipDialog = lazyPart(() => import('../tips/TipDialog.tsx').then((module) => module.default))

/** Asks how much somebody is to be tipped, then has it paid by `buy`. */
export function useTip(
  receiver: TipReceiver,
  buy: ReturnType<typeof usePurchase>['buy'],
): { askForTip: () => void; tipDialog: ReactNode } {
  const [asking, setAsking] = useState(false)
  const [buying, setBuying] = useState(false)
  const close = () => {
    setAsking(false)
    setBuying(false)
  }
  const tipDialog = asking && (
    <TipDialog
      receiver={receiver}
      busy={buying}
      onClose={close}
      onBuy={(tip) => {
        // Until the next dialog stands, a second tap would hit the page behind.
        setBuying(true)
        buy(tip, close)
      }}
    />
  )
  return { askForTip: () => setAsking(true), tipDialog }
}
