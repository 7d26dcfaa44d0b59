import type { ReactNode } from 'react'
import { formatDate } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import type { Payout } from './api.ts'
import styles from './payouts.module.css'
import { type operatorTexts, payoutTexts, statusTexts } from './texts.ts'

const TONES: Record<Payout['status'], Tone> = {
  requested: 'neutral',
  approved: 'neutral',
  in_transit: 'warning',
  paid: 'good',
  failed: 'bad',
  canceled: 'neutral',
  returned: 'bad',
}

type PayoutItemProps = {
  payout: Payout
  /** The person of the payout, if that isn't the viewer. */
  username?: string
  /** How long it has waited, in words. */
  waits?: string | null
  /** Where it goes, and what keeps it. */
  bank?: string
  /** Warnings before a decision. */
  hint?: string | null
  /** The possible actions. */
  children?: ReactNode
}

/** One payout in a list: how much, since when, and how it stands. */
export function PayoutItem({ payout, username, waits, bank, hint, children }: PayoutItemProps) {
  const { amount, requestedAt, reason, status, hold } = payout
  const kept = username ? bank : holdSentence(hold, payoutTexts.holds)
  return (
    <li className={styles.payout}>
      <div>
        <p className={styles.name}>
          {username && `${username} · `}
          <Money cents value={amount} />
        </p>
        <p className={styles.note}>
          {payoutTexts.requestedOn(formatDate(requestedAt))}
          {waits && ` · ${waits}`}
          {reason && ` · ${reason}`}
        </p>
        {kept && <p className={styles.note}>{kept}</p>}
        {hint && <p className={styles.note}>{hint}</p>}
      </div>
      <Tag tone={TONES[status]}>{statusTexts[status]}</Tag>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  )
}

/** Why a payout hasn't gone to the bank, since when, and until when or what for. */
export function holdSentence(
  hold: Payout['hold'],
  texts: typeof payoutTexts.holds | typeof operatorTexts.holds,
) {
  if (!hold) return ''
  const [since = '', until = ''] = [hold.since, hold.until].map((at) => (at ? formatDate(at) : ''))
  return texts[hold.why](since, until)
}
