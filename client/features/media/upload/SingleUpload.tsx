import { IconUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { MAX_FILE_BYTES } from '../../../../contract/constants.ts'
import { useConfig } from '../../../lib/config.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ACCEPT } from './files.ts'
import { ResumableUploads } from './ResumableUploads.tsx'
import { isTravelling } from './rules.ts'
import styles from './SingleUpload.module.css'
import { UploadList } from './UploadList.tsx'
import { useUploads } from './use-uploads.ts'
import { statusLine } from './view.ts'

/** One file in chunks of 1 MiB (docs/product.md, Pages, Single-file upload page). */
export function SingleUpload() {
  const person = useCurrentUser()
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const { queue, uploads } = useUploads('one')
  const [file, setFile] = useState<File | null>(null)
  const [sent, setSent] = useState(0)
  const inputId = useId()
  const hintId = useId()
  // The newest that has a file here: what another visit sent has nothing left to send.
  const latest = uploads.findLast(({ bytes }) => bytes > 0)
  const line = statusLine(file ? undefined : latest)

  const submit = () => {
    if (!file) return
    queue.choose([file], { maxBytes, mode: 'chunked' })
    setFile(null)
    // A picker of a file that is sent off is replaced by an empty one.
    setSent(sent + 1)
  }
  return (
    <div className={styles.panel}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label htmlFor={inputId} className={styles.label}>
          Media file
        </label>
        <input
          key={sent}
          id={inputId}
          className={styles.input}
          type="file"
          multiple
          accept={ACCEPT}
          aria-describedby={hintId}
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
        <p id={hintId} className={styles.hint}>
          Hold Control (Windows) or Command (Mac) to choose several files. Only the first one is taken.
        </p>
        {file && <p className={styles.chosen}>Chosen: {file.name}</p>}
        <Button
          type="submit"
          leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
          disabled={!file || uploads.some(isTravelling)}
        >
          Upload Media
        </Button>
        <p className={styles.status} data-tone={line.tone} role="status">
          {line.text}
        </p>
      </form>
      {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} sells={person.isCreator} />}
      <ResumableUploads queue={queue} uploads={uploads} maxBytes={maxBytes} onlyChunked />
    </div>
  )
}
