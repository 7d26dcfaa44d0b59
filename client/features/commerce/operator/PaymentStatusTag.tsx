import { centsOf } from '../../../../contract/money.ts'
import type { DisputeStatus, PaymentStatus } from '../../../../contract/orders.ts'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import type { Payment } from './api.ts'
import { disputeStatusTexts, paymentStatusTexts, paymentTexts } from './texts.ts'

const TONES: Partial<Record<PaymentStatus, Tone>> = {
  captured: 'good',
  declined: 'bad',
  refused: 'bad',
  held: 'warning',
  unknown: 'warning',
  disputed: 'bad',
}

/** How an order's payment stands. */
export function OrderStatusTag({
  status,
  amount,
  refunded,
  lost,
}: Pick<Payment, 'status' | 'amount' | 'refunded' | 'lost'>) {
  // As much as was paid: another charge of the same order, which paid for nothing.
  const isPart = (part: string | null) => part !== null && centsOf(part) < centsOf(amount)
  if (status === 'captured' && isPart(lost)) return <Tag tone="bad">{paymentTexts.partlyDisputed}</Tag>
  if (status === 'captured' && isPart(refunded))
    return <Tag tone="neutral">{paymentTexts.partlyRefunded}</Tag>
  return <PaymentStatusTag status={status} />
}

/** How one charge stands. */
export function PaymentStatusTag({ status }: { status: PaymentStatus }) {
  return <Tag tone={TONES[status] ?? 'neutral'}>{paymentStatusTexts[status]}</Tag>
}

const DISPUTE_TONES: Record<DisputeStatus, Tone> = { open: 'warning', won: 'good', lost: 'bad' }

/** How a dispute stands. */
export function DisputeStatusTag({ status }: { status: DisputeStatus }) {
  return <Tag tone={DISPUTE_TONES[status]}>{disputeStatusTexts[status]}</Tag>
}
