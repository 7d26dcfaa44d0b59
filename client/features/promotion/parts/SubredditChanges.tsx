import { useQuery } from '@tanstack/react-query'
import { Fetched } from '../../../ui/Fetched.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { changesQuery } from './api.ts'
import styles from './parts.module.css'
import { changeTexts as texts } from './texts.ts'

// Most subreddits didn't change.
const ChangeList = lazyPart(async () => (await import('./ChangeList.tsx')).ChangeList)

/** Recent changes of a subreddit on the forum: before and after. Nothing if nothing changed. */
export function SubredditChanges({ name }: { name: string }) {
  const changes = useQuery(changesQuery(name))
  return (
    <Fetched query={changes} waiting={null} failed={texts.failed}>
      {({ items }) =>
        items.length > 0 && (
          <section className={styles.part} aria-label={texts.title}>
            <h3 className={styles.heading}>{texts.title}</h3>
            <ChangeList changes={items} />
          </section>
        )
      }
    </Fetched>
  )
}
