import { useQuery } from '@tanstack/react-query'
import { LEAST_POSTS_COMPARED } from '../../../../contract/promotion.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { suggestionsQuery } from './api.ts'
import styles from './earnings.module.css'
import { slotText } from './names.ts'
import { earningsTexts as texts } from './texts.ts'

/** The hours and subreddits that did best, each with its reason. */
export function Suggestions() {
  const { data, error, refetch } = useQuery(suggestionsQuery)
  return (
    <Section title={texts.suggestions}>
      {!data && !error && <SkeletonLines lines={4} />}
      {!data && error && <ErrorState title={texts.failed} error={error} onRetry={() => void refetch()} />}
      {data && data.posts < LEAST_POSTS_COMPARED && (
        <p className={styles.quiet}>{texts.tooFew(data.posts, LEAST_POSTS_COMPARED)}</p>
      )}
      {data && data.posts >= LEAST_POSTS_COMPARED && data.hours.length + data.subreddits.length === 0 && (
        <p className={styles.quiet}>{texts.nothingYet}</p>
      )}
      {data && data.hours.length + data.subreddits.length > 0 && (
        <>
          <p className={styles.quiet}>{texts.suggestionsOf}</p>
          <div className={styles.suggestions}>
            <Best
              title={texts.bestHours}
              items={data.hours.map((slot) => ({ name: slotText(slot), reason: slot.reason }))}
            />
            <Best
              title={texts.bestSubreddits}
              items={data.subreddits.map(({ subreddit, reason }) => ({ name: `r/${subreddit}`, reason }))}
            />
          </div>
        </>
      )}
    </Section>
  )
}

function Best({ title, items }: { title: string; items: readonly { name: string; reason: string }[] }) {
  if (items.length === 0) return null
  return (
    <Card>
      <h3 className={styles.bestTitle}>{title}</h3>
      <ol className={styles.best}>
        {items.map(({ name, reason }) => (
          <li key={name}>
            <b className={styles.name}>{name}</b>
            <span className={styles.quiet}>{reason}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
