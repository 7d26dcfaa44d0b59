import type { SubredditChange } from '../../../../contract/forum.ts'
import { formatDateTime } from '../../../ui/format.ts'
import { linesOf } from './changes.ts'
import styles from './parts.module.css'
import { changeTexts as texts } from './texts.ts'

type ChangeListProps = { changes: readonly { _id: string; at: string; change: SubredditChange }[] }

/** Changes of a subreddit, with what was there before and is there now. */
export function ChangeList({ changes }: ChangeListProps) {
  return (
    <ul className={styles.changes}>
      {changes.map(({ _id, at, change }) => {
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
