import { Tag, type Tone } from '../../../ui/Tag.tsx'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { subscriptionStatusTexts } from './texts.ts'

/** `processing`: the charge of a period that isn’t paid is still undecided; `ending`: that period isn’t charged anymore. */
type Status = OwnSubscription['status'] | 'processing' | 'ending'

const TONES: Partial<Record<Status, Tone>> = {
  active: 'good',
  trialing: 'good',
  past_due: 'warning',
}

/** How a subscription stands, for its fan and its creator alike. */
export function SubscriptionStatusTag({ status }: { status: Status }) {
  return <Tag tone={TONES[status] ?? 'neutral'}>{subscriptionStatusTexts[status]}</Tag>
}
