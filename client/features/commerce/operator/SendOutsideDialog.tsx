import { useState } from 'react'
import { refundRoutes } from '../../../../contract/routes/commerce/refunds.ts'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type PaymentDetail, useSendOutside } from './api.ts'
import { outsideTexts as texts } from './texts.ts'

/** Begins to send another way what the gateway refused, or takes that back. */
export function SendOutsideDialog({
  payment: { _id: transactionId, title },
  outside: { refundId, amount, sending },
  chargeStatus,
  onClose,
  reauthenticate,
}: {
  payment: PaymentDetail
  outside: NonNullable<PaymentDetail['outside']>
  /** How the charge stands that it is of. */
  chargeStatus: PaymentDetail['attempts'][number]['status'] | null
  onClose: () => void
  reauthenticate: Reauthenticate
}) {
  const change = useSendOutside(reauthenticate)
  // The state when this was opened: a colleague may have started since, and this must not undo it.
  const [begins] = useState(sending === null)
  return (
    <ReasonDialog
      route={refundRoutes.sendOutside}
      opened
      onClose={onClose}
      title={begins ? texts.sendTitle(title) : texts.backTitle(title)}
      over={['refund_changed', 'refund_outside']}
      confirmLabel={begins ? texts.send : texts.back}
      onConfirm={async (reason) => {
        await change.mutateAsync({ transactionId, refundId, sending: begins, reason })
        toast.success(begins ? texts.begun : texts.takenBack)
      }}
    >
      {begins ? texts.sendEffect(amount) : backEffect(amount, chargeStatus)}
    </ReasonDialog>
  )
}

function backEffect(amount: string, status: string | null): string {
  if (status === 'disputed') return texts.backEffectDisputed(amount)
  if (status === 'voided' || status === 'refunded') return texts.backEffectOver(amount, status)
  return texts.backEffect(amount)
}
