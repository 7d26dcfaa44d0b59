import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { withCents } from '../../../ui/format.ts'
import { comparedTitlesQuery } from './api.ts'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

/** The results of a post's titles, and whether one of them leads. */
export function ComparedTitles({ postId }: { postId: string }) {
  const compared = useQuery(comparedTitlesQuery(postId))
  return (
    <Card>
      <section aria-labelledby="compared">
        <h2 id="compared" className={styles.heading}>
          {texts.compared}
        </h2>
        <Fetched query={compared} failed={texts.comparedFailed}>
          {(data) => (
            <>
              <p className={styles.quiet}>{data.verdict}</p>
              <ul>
                {data.titles.map(({ title, posts, removed, score, visits, payments, earned }) => (
                  <li key={title} className={styles.compared}>
                    <p className={styles.name}>{title}</p>
                    <p className={styles.quiet}>
                      {[
                        texts.posts(posts),
                        ...(score === null ? [] : [texts.score(score)]),
                        texts.visits(visits),
                        ...(payments > 0 ? [texts.payments(payments, withCents(earned))] : []),
                        ...(removed > 0 ? [texts.removed(removed)] : []),
                      ].join('\u00a0· ')}
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Fetched>
      </section>
    </Card>
  )
}
