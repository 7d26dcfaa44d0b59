import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { MAX_PLAN_FILE_LENGTH, PLAN_FILE_TOO_LONG } from '../../../../contract/promotion.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { toast } from '../../../ui/toast.ts'
import type { Poster } from '../schedule/PosterField.tsx'
import { timelineFile, type Wanted } from './api.ts'
import styles from './plan.module.css'
import { planTexts as texts } from './texts.ts'

/** Of one letter in UTF-8; what is longer isn’t even read. */
const MAX_LETTER_BYTES = 4

type PlanFilesProps = { poster: Poster; loading: boolean; onPlan: (wanted: Wanted) => void }

/** A plan from a file, and the timeline as a record in the same columns, which may be longer than a plan. */
export function PlanFiles({ poster, loading, onPlan }: PlanFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  const [saving, setSaving] = useState(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    const text = file.size > MAX_PLAN_FILE_LENGTH * MAX_LETTER_BYTES ? null : await file.text()
    if (text === null || text.length > MAX_PLAN_FILE_LENGTH) return toast.failure(PLAN_FILE_TOO_LONG)
    onPlan({ text, ...poster })
  }
  const save = async () => {
    setSaving(true)
    try {
      const { fileName, text } = await timelineFile()
      download(fileName, text, 'text/csv')
    } catch {
      toast.failure(texts.exportFailed)
    } finally {
      setSaving(false)
    }
  }
  return (
    <section className={styles.files} aria-label={texts.files}>
      <h2 className={styles.heading}>{texts.files}</h2>
      <p className={styles.quiet}>{texts.filesHint}</p>
      <div className={styles.actions}>
        <Button
          variant="default"
          loading={loading}
          leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {texts.import}
        </Button>
        <Button
          variant="default"
          loading={saving}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          onClick={() => void save()}
        >
          {texts.export}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={texts.importLabel}
        onChange={(event) => {
          void read(event.currentTarget.files?.[0])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </section>
  )
}
