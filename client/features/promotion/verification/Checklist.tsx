import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { type OneRecord, useUpdateRecord } from './api.ts'
import styles from './record.module.css'
import { recordTexts as texts } from './texts.ts'

/** What the verification photo needs; ticking saves at once. */
export function Checklist({ record, userId }: { record: OneRecord; userId: string | undefined }) {
  const { name, checklist } = record
  const update = useUpdateRecord(name, userId)
  const kept = checklist.filter(({ done }) => done).map(({ text }) => text)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => new Set(kept))
  if (checklist.length === 0) return <p className={styles.quiet}>{texts.noChecklist}</p>
  const tick = (text: string, isDone: boolean) => {
    const next = new Set(ticked)
    if (isDone) next.add(text)
    else next.delete(text)
    setTicked(next)
    const checked = checklist.map((item) => item.text).filter((one) => next.has(one))
    // Each failure is told, also where another tick follows before its answer.
    update.mutateAsync({ checked }).catch((error: unknown) => {
      setTicked((now) => {
        const before = new Set(now)
        if (isDone) before.delete(text)
        else before.add(text)
        return before
      })
      toast.failure(errorMessage(error))
    })
  }
  return (
    <div className={styles.checklist}>
      <p className={styles.quiet}>{texts.checklistHint}</p>
      <ul aria-label={texts.checklist}>
        {checklist.map(({ text }) => (
          <li key={text}>
            <label className={styles.item}>
              <input
                type="checkbox"
                checked={ticked.has(text)}
                onChange={(event) => tick(text, event.currentTarget.checked)}
              />
              <span>{text}</span>
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}
