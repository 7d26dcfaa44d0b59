import { IconUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { MAX_FILE_BYTES } from '../../../../contract/constants.ts'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ACCEPT } from '../parts/attachments/files.ts'
import { FinishedMedia } from './FinishedMedia.tsx'
import { forLibrary } from './purpose.ts'
import { ResumableUploads } from './ResumableUploads.tsx'
import { isTravelling } from './rules.ts'
import { texts } from './texts.ts'
import { UploadList } from './UploadList.tsx'
import styles from './UploadSinglePage.module.css'
import { useUploads } from './use-uploads.ts'
import { statusLine } from './view.ts'

/** One file in chunks of 1 MiB (docs/product.md, Pages, Single-file upload page). */
export function Component() {
  const person = useCurrentUser()
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const { queue, uploads } = useUploads(forLibrary, 'one')
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
    <Page
      title={texts.single.title}
      lead={texts.single.lead}
      back={<BackLink to={paths.manageMedia}>{texts.manage}</BackLink>}
      action={
        <LinkButton to={paths.uploadBulk} variant="default">
          {texts.single.several}
        </LinkButton>
      }
    >
      <div className={styles.panel}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <label htmlFor={inputId} className={styles.label}>
            {texts.single.file}
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
            {texts.single.fileHint}
          </p>
          {file && <p className={styles.chosen}>{texts.single.chosen(file.name)}</p>}
          <Button
            type="submit"
            leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
            disabled={!file || uploads.some(isTravelling)}
          >
            {texts.single.submit}
          </Button>
          <p className={styles.status} data-tone={line.tone} role="status">
            {line.text}
          </p>
        </form>
        {uploads.length > 0 && (
          <UploadList
            uploads={uploads}
            queue={queue}
            finished={(mediaId, fileName) => (
              <FinishedMedia mediaId={mediaId} fileName={fileName} sells={person.isCreator} />
            )}
          />
        )}
        <ResumableUploads queue={queue} uploads={uploads} maxBytes={maxBytes} onlyChunked />
      </div>
    </Page>
  )
}
