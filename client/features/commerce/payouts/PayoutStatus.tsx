import { Tag, type Tone } from '../../../ui/Tag.tsx'
import type { Payout } from './api.ts'
import { statusTexts } from './texts.ts'

const TONES: Record<Payout['status'], Tone> = {
  requested: 'neutral',
  approved: 'neutral',
  in_transit: 'warning',
  paid: 'good',
  failed: 'bad',
  canceled: 'neutral',
}

/** How a payout stands. */
export function PayoutStatus({ status }: Pick<Payout, 'status'>) {
  return <Tag tone={TONES[status]}>{statusTexts[status]}</Tag>
}
