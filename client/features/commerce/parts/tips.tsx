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
  const tipDialog = asking && (
    <TipDialog
      receiver={receiver}
      onClose={() => setAsking(false)}
      onBuy={(tip) => {
        setAsking(false)
        buy(tip)
      }}
    />
  )
  return { askForTip: () => setAsking(true), tipDialog }
}
