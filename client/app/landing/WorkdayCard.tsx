import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { OFFERED } from '../../../contract/constants.ts'
import { Money } from '../../ui/Money.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './WorkdayCard.module.css'
import { landingWords } from './words.ts'

const POSTS = [
  { time: '09:00', place: 'Video photography', state: 'posted' },
  { time: '11:30', place: 'Portraits', state: 'posted' },
  { time: '14:00', place: 'Evening light', state: 'next' },
  { time: '18:20', place: 'Slow mornings', state: 'waiting' },
] as const

/** A drawing of a creator's day in the product's own parts; an example, not data. */
export function WorkdayCard() {
  return (
    <figure
      className={styles.card}
      aria-label={OFFERED.promotion ? landingWords.day.promotion : landingWords.day.sales}
    >
      <figcaption className={styles.head}>
        <span className={styles.day}>Thursday</span>
        {OFFERED.promotion && (
          <Tag tone="good">
            <IconCircleCheck size={14} stroke={2} aria-hidden /> Verified in 12
          </Tag>
        )}
      </figcaption>
      {OFFERED.promotion && (
        <ol className={styles.posts}>
          {POSTS.map(({ time, place, state }) => (
            <li key={time} className={styles.post} data-state={state}>
              <span className={styles.time}>{time}</span>
              <span className={styles.dot} aria-hidden />
              <span className={styles.place}>{place}</span>
              <span className={styles.state}>
                {state === 'posted' && 'Posted'}
                {state === 'next' && (
                  <>
                    <IconClock size={14} stroke={2} aria-hidden /> Next
                  </>
                )}
                {state === 'waiting' && 'Queued'}
              </span>
            </li>
          ))}
        </ol>
      )}
      <dl className={styles.money}>
        <div className={styles.sale}>
          <dt>Monthly subscription</dt>
          <dd>
            <Money value="$9" />
          </dd>
        </div>
        <div className={styles.sale}>
          <dt>Bundle, 24 photos and 3 videos</dt>
          <dd>
            <Money value="$35" />
          </dd>
        </div>
        <div className={styles.sale}>
          <dt>Single video, 4:10</dt>
          <dd>
            <Money value="$12" />
          </dd>
        </div>
        <div className={styles.total}>
          <dt>Sold today</dt>
          <dd className={styles.sum}>
            <Money value="$56" look="display" />
          </dd>
        </div>
      </dl>
    </figure>
  )
}
