import { useQuery } from '@tanstack/react-query'
import { LEAST_POSTS_COMPARED } from '../../../../contract/promotion.ts'
import { Card } from '../../../ui/Card.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { suggestionsQuery } from './api.ts'
import styles from './earnings.module.css'
import { slotText } from './names.ts'
import { earningsTexts as texts } from './texts.ts'

/** The hours and subreddits that did best, each with its reason. */
export function Suggestions() {
  const suggestions = useQuery(suggestionsQuery)
  return (
    <Section title={texts.suggestions}>
      <Fetched query={suggestions} waiting={<SkeletonLines lines={4} />} failed={texts.failed}>
        {({ posts, hours, subreddits }) =>
          posts < LEAST_POSTS_COMPARED ? (
            <p className={styles.quiet}>{texts.tooFew(posts, LEAST_POSTS_COMPARED)}</p>
          ) : hours.length + subreddits.length === 0 ? (
            <p className={styles.quiet}>{texts.nothingYet}</p>
          ) : (
            <>
              <p className={styles.quiet}>{texts.suggestionsOf}</p>
              <div className={styles.suggestions}>
                <Best
                  title={texts.bestHours}
                  items={hours.map((slot) => ({ name: slotText(slot), reason: slot.reason }))}
                />
                <Best
                  title={texts.bestSubreddits}
                  items={subreddits.map(({ subreddit, reason }) => ({ name: `r/${subreddit}`, reason }))}
                />
              </div>
            </>
          )
        }
      </Fetched>
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
