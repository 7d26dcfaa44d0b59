import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { Money } from '../../ui/Money.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { postsTexts, workdayTexts } from './texts.ts'
import styles from './WorkdayCard.module.css'

/** A drawing of a creator's day in the product's own parts; an example, not data. Posts only where there is promotion. */
export function WorkdayCard({ hasForum }: { hasForum: boolean }) {
  return (
    <figure className={styles.card} aria-label={hasForum ? postsTexts.label : workdayTexts.label}>
      <figcaption className={styles.head}>
        <span className={styles.day}>{workdayTexts.day}</span>
        {hasForum && (
          <Tag tone="good">
            <IconCircleCheck size={14} stroke={2} aria-hidden /> {postsTexts.verified}
          </Tag>
        )}
      </figcaption>
      {hasForum && <Posts />}
      <dl className={styles.money}>
        <div className={styles.sale}>
          <dt>{workdayTexts.subscription}</dt>
          <dd>
            <Money value="$9" />
          </dd>
        </div>
        <div className={styles.sale}>
          <dt>{workdayTexts.bundle}</dt>
          <dd>
            <Money value="$35" />
          </dd>
        </div>
        <div className={styles.sale}>
          <dt>{workdayTexts.single}</dt>
          <dd>
            <Money value="$12" />
          </dd>
        </div>
        <div className={styles.total}>
          <dt>{workdayTexts.sold}</dt>
          <dd className={styles.sum}>
            <Money value="$56" look="display" />
          </dd>
        </div>
      </dl>
    </figure>
  )
}

const POSTS = [
  { time: '9:00 AM', place: postsTexts.video, state: 'posted' },
  { time: '11:30 AM', place: postsTexts.portraits, state: 'posted' },
  { time: '2:00 PM', place: postsTexts.evening, state: 'next' },
  { time: '6:20 PM', place: postsTexts.mornings, state: 'waiting' },
] as const

function Posts() {
  return (
    <ol className={styles.posts}>
      {POSTS.map(({ time, place, state }) => (
        <li key={time} className={styles.post} data-state={state}>
          <span className={styles.time}>{time}</span>
          <span className={styles.dot} aria-hidden />
          <span className={styles.place}>{place}</span>
          <span className={styles.state}>
            {state === 'posted' && postsTexts.posted}
            {state === 'next' && (
              <>
                <IconClock size={14} stroke={2} aria-hidden /> {postsTexts.next}
              </>
            )}
            {state === 'waiting' && postsTexts.queued}
          </span>
        </li>
      ))}
    </ol>
  )
}
