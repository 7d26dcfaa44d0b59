import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { type Commission, commissionsQuery } from './api.ts'
import styles from './referrals.module.css'
import { commissionTexts as texts } from './texts.ts'

const TONES: Record<Commission['status'], Tone> = {
  pending: 'neutral',
  available: 'good',
  onHold: 'warning',
  returned: 'bad',
  canceled: 'bad',
}

/** Each commission, the newest first. */
export function CommissionList() {
  const list = useList(commissionsQuery)
  return (
    <Section title={texts.title}>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={6} />}
        empty={
          <EmptyState title={texts.nothingTitle} compact>
            {texts.nothing}
          </EmptyState>
        }
      >
        <ul className={styles.rows} aria-label={texts.title}>
          {list.items.map((commission) => (
            <Row key={commission._id} commission={commission} />
          ))}
        </ul>
      </GrowingList>
    </Section>
  )
}

function Row({ commission }: { commission: Commission }) {
  const { amount, returned, side, sharedCode, earnedAt, status } = commission
  const from = sharedCode === null ? texts.ownLink : texts.through(sharedCode)
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p>{texts.side[side]}</p>
        <p className={styles.quiet}>
          {formatDate(earnedAt)} · {from}
          {returned && ` · ${status === 'canceled' ? texts.canceled : texts.returned(returned)}`}
        </p>
      </div>
      <Tag tone={TONES[status]}>{texts.status[status]}</Tag>
      <p className={styles.amount}>
        <Money cents value={amount} />
      </p>
    </li>
  )
}
