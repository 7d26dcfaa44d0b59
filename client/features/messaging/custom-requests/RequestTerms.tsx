import { IconSparkles } from '@tabler/icons-react'
import { centsOf } from '../../../../contract/money.ts'
import { formatDate } from '../../../ui/format.ts'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { offerOf, type RequestState, type RequestTerms as Terms } from './api.ts'
import styles from './custom-requests.module.css'
import { stateText, requestTexts as texts } from './texts.ts'

const TONES: Record<RequestState, Tone> = {
  requested: 'neutral',
  accepted: 'gold',
  declined: 'neutral',
  paid: 'good',
  delivered: 'good',
  overdue: 'warning',
  leaving: 'warning',
  refunded: 'neutral',
  disputed: 'warning',
}

/** That a message is a custom request, and where that stands. */
export function RequestHeading({ state }: { state: RequestState }) {
  return (
    <p className={styles.heading}>
      <IconSparkles size={18} stroke={1.75} aria-hidden />
      <span className={styles.label}>{texts.label}</span>
      <Tag tone={TONES[state]}>{stateText(state)}</Tag>
    </p>
  )
}

/** The agreed terms of a request, and the next step, for one of its two people. */
export function RequestTerms({ request, me }: { request: Terms; me: string }) {
  return (
    <div className={styles.terms}>
      <p className={styles.offer}>{texts.terms(request.maxMinutes, request.pricePerMinute)}</p>
      {request.price && <p className={styles.price}>{request.price}</p>}
      <p className={styles.next}>
        {isAbove(request, me) && `${texts.fan.offered(offerOf(request))} `}
        {nextOf(request, me)}
      </p>
      {request.state === 'declined' && request.reason && (
        <p className={styles.next}>{texts.reason(request.reason)}</p>
      )}
    </div>
  )
}

/** Whether a fan is asked for more than they offered. */
function isAbove(request: Terms, me: string): boolean {
  const { state, userId, price } = request
  return state === 'accepted' && me === userId && centsOf(price ?? '') > centsOf(offerOf(request))
}

function nextOf({ state, userId, deliveryDays, deliverBy, late }: Terms, me: string): string {
  const said = me === userId ? texts.fan : texts.creator
  if (state === 'accepted') return said.accepted(deliveryDays ?? 0)
  if (state === 'paid') return deliverBy === null ? said.refunding : said.paid(formatDate(deliverBy))
  if (state === 'refunded' && late) return said.refundedLate
  return said[state]
}
