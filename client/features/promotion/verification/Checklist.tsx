import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { type OneRecord, useTick } from './api.ts'
import styles from './record.module.css'
import { recordTexts as texts } from './texts.ts'

/**
 * The requirements of the verification photo; ticking saves at once, and shows the server's state when that fails.
 */
export function Checklist({ record, userId }: { record: OneRecord; userId: string | undefined }) {
  const { name, checklist } = record
  const tick = useTick(name, userId)
  /** Ticks on their way, over what the server has. */
  const [sent, setSent] = useState<ReadonlyMap<string, boolean>>(new Map())
  if (checklist.length === 0) return <p className={styles.quiet}>{texts.noChecklist}</p>
  const turn = (text: string, done: boolean) => {
    setSent((before) => new Map(before).set(text, done))
    // Each failure is told, also where another tick follows before its answer.
    tick
      .mutateAsync({ text, done })
      .catch((error: unknown) => toast.failure(texts.tickFailed(text, errorMessage(error))))
      .finally(() =>
        setSent((before) => {
          const after = new Map(before)
          // One turned again meanwhile still waits for its own answer.
          if (after.get(text) === done) after.delete(text)
          return after
        }),
      )
  }
  return (
    <div className={styles.checklist}>
      <p className={styles.quiet}>{texts.checklistHint}</p>
      <ul aria-label={texts.checklist}>
        {checklist.map(({ text, done }) => (
          <li key={text}>
            <label className={styles.item}>
              <input
                type="checkbox"
                checked={sent.get(text) ?? done}
                onChange={(event) => turn(text, event.currentTarget.checked)}
              />
              <span>{text}</span>
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}
