import styles from './ProgressBar.module.css'
import { stateTexts } from './texts.ts'

type ProgressBarProps = {
  /** The work under way, for example the name of a file. */
  label: string
  /** 0 to 100; null while it is unknown how long it takes. */
  percent: number | null
  /** The text at the end in place of the percentage, for example `Done`. */
  note?: string
  tone?: 'going' | 'good' | 'bad'
}

/** Progress with what and how much. */
export function ProgressBar({ label, percent, note, tone = 'going' }: ProgressBarProps) {
  const known = percent === null ? null : Math.min(100, Math.max(0, Math.round(percent)))
  return (
    <div className={styles.progress} data-tone={tone}>
      <div className={styles.line}>
        <span className={styles.label}>{label}</span>
        <span className={styles.note}>{note ?? (known === null ? stateTexts.working : `${known}%`)}</span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(known === null ? {} : { 'aria-valuenow': known })}
      >
        <div
          className={styles.bar}
          data-unknown={known === null || undefined}
          style={{ width: `${known ?? 30}%` }}
        />
      </div>
    </div>
  )
}
