import type { DisputeStatus, PaymentStatus } from '../../../../contract/orders.ts'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { disputeStatusTexts, paymentStatusTexts } from './texts.ts'

const TONES: Partial<Record<PaymentStatus, Tone>> = {
  captured: 'good',
  declined: 'bad',
  refused: 'bad',
  held: 'warning',
  unknown: 'warning',
  disputed: 'bad',
}

/** How a payment stands. */
export function PaymentStatusTag({ status }: { status: PaymentStatus }) {
  return <Tag tone={TONES[status] ?? 'neutral'}>{paymentStatusTexts[status]}</Tag>
}

const DISPUTE_TONES: Record<DisputeStatus, Tone> = { open: 'warning', won: 'good', lost: 'bad' }

/** How a dispute stands. */
export function DisputeStatusTag({ status }: { status: DisputeStatus }) {
  return <Tag tone={DISPUTE_TONES[status]}>{disputeStatusTexts[status]}</Tag>
}
