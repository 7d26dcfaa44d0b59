import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { leaveRow } from '../parts/focus.ts'
import type { Submitted } from './api.ts'
import styles from './schedule.module.css'
import { cardTexts as texts } from './texts.ts'

/** Milliseconds for which a card says that it was posted, before it leaves the list. */
const SHOWN_MS = 6000

/** The outcome of a post that was submitted at once; it disappears unless something is left to do about it. */
export function SubmittedCard({ item, onGone }: { item: Submitted; onGone: () => void }) {
  const { state, subreddit, account, failure, permalink, waitsUntil, waitsForResume } = item
  const waits = state === 'scheduled'
  const isUnsettled = state === 'failed' || state === 'unknown' || waits
  const card = useRef<HTMLLIElement>(null)
  const gone = useRef(onGone)
  useEffect(() => {
    gone.current = onGone
  })
  useEffect(() => {
    if (isUnsettled) return
    const timer = setTimeout(() => {
      const link = card.current?.querySelector<HTMLElement>('a:focus')
      if (link) leaveRow(link)
      gone.current()
    }, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isUnsettled])
  return (
    <li className={styles.card} aria-live="polite" ref={card}>
      <p className={isUnsettled ? styles.problem : styles.done}>
        {!isUnsettled && <IconCheck size={20} stroke={1.75} aria-hidden />}
        {state === 'posted'
          ? texts.posted(subreddit)
          : waits
            ? waitsForResume
              ? texts.waitsForResume(subreddit)
              : texts.waits(subreddit, account, waitsUntil)
            : isUnsettled
              ? texts.notPosted(failure)
              : texts.sent(subreddit)}
      </p>
      {permalink ? (
        <ExternalLink to={permalink}>{texts.open}</ExternalLink>
      ) : (
        <TextLink to={promotionPaths.timeline}>{texts.onTimeline}</TextLink>
      )}
    </li>
  )
}
