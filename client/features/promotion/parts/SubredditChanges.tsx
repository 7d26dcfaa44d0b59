import { useQuery } from '@tanstack/react-query'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { changesQuery } from './api.ts'
import { linesOf } from './changes.ts'
import styles from './parts.module.css'
import { changeTexts as texts } from './texts.ts'

/** Recent changes of a subreddit on the forum: before and after. Nothing if nothing changed. */
export function SubredditChanges({ name }: { name: string }) {
  const changes = useQuery(changesQuery(name))
  return (
    <Fetched query={changes} waiting={null} failed={texts.failed}>
      {({ items }) =>
        items.length > 0 && (
          <section className={styles.part} aria-label={texts.title}>
            <h3 className={styles.heading}>{texts.title}</h3>
            <ul className={styles.changes}>
              {items.map(({ _id, at, change }) => {
                const { before, after } = linesOf(change)
                return (
                  <li key={_id} className={styles.change}>
                    <p>
                      <strong>{texts.parts[change.part]}</strong>{' '}
                      <span className={styles.quiet}>{formatDateTime(at)}</span>
                    </p>
                    <Side label={texts.before} lines={before} />
                    <Side label={texts.after} lines={after} />
                    {before.length + after.length === 0 && <p className={styles.quiet}>{texts.reordered}</p>}
                  </li>
                )
              })}
            </ul>
          </section>
        )
      }
    </Fetched>
  )
}

function Side({ label, lines }: { label: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div>
      <p className={styles.quiet}>{label}</p>
      <ul className={styles.rules}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
