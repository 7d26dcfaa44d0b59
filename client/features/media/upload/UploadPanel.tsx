import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { MAX_FILE_BYTES } from '../../../../contract/constants.ts'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { refreshMedia } from '../api.ts'
import { type UploadQueue, uploadQueueOf } from './queue.ts'
import { isPreparing, isTravelling, percentText, totalPercent, type Upload } from './rules.ts'
import styles from './UploadPanel.module.css'
import { UploadRow } from './UploadRow.tsx'

const FilePicker = lazy(() => import('./FilePicker.tsx'))

/** Several files at once, each with its own progress (promotion-tools §2, Upload media page). */
export function UploadPanel() {
  const person = useCurrentUser()
  const client = useQueryClient()
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const [queue] = useState(() => uploadQueueOf(person._id, () => void refreshMedia(client)))
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const [missing, setMissing] = useState(false)
  const chosen = uploads.filter((upload) => upload.phase === 'chosen').length

  const submit = () => {
    setMissing(chosen === 0)
    queue.submit()
  }
  return (
    <div className={styles.panel}>
      <Suspense fallback={<Skeleton height="14rem" />}>
        <FilePicker
          onFiles={(files) => {
            setMissing(false)
            queue.choose(files, maxBytes)
          }}
        />
      </Suspense>
      <div>
        <FormError>{missing && 'You must select a file to upload.'}</FormError>
        <Button
          leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
          variant={chosen === 0 && uploads.length > 0 ? 'default' : 'filled'}
          onClick={submit}
        >
          {chosen > 1 ? `Upload ${chosen} files` : chosen === 1 ? 'Upload 1 file' : 'Upload'}
        </Button>
      </div>
      {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} sells={person.isCreator} />}
    </div>
  )
}

function UploadList({
  uploads,
  queue,
  sells,
}: {
  uploads: readonly Upload[]
  queue: UploadQueue
  sells: boolean
}) {
  const travelling = uploads.filter(isTravelling).length
  return (
    <section aria-label="Files">
      <div className={styles.whole}>
        {travelling > 0 && (
          <ProgressBar
            label={`${travelling} of ${uploads.length} on the way. You can look around meanwhile; only keep this tab open.`}
            percent={totalPercent(uploads)}
            note={percentText(totalPercent(uploads))}
          />
        )}
        <p className={styles.summary} role="status">
          {travelling === 0 && summaryOf(uploads)}
        </p>
      </div>
      <ul className={styles.list}>
        {uploads.map((upload) => (
          <UploadRow key={upload.key} upload={upload} queue={queue} sells={sells} />
        ))}
      </ul>
      {uploads.some((upload) => upload.preparation?.status === 'ready') && (
        <p className={styles.next}>
          Everything that is done is in your library: <TextLink to={paths.manageMedia}>Manage media</TextLink>
        </p>
      )}
    </section>
  )
}

/** How it stands once nothing is on its way any more: what is being prepared, done and failed. */
function summaryOf(uploads: readonly Upload[]): string {
  const count = (is: (upload: Upload) => boolean) => uploads.filter(is).length
  const preparing = count(isPreparing)
  const done = count((upload) => upload.preparation?.status === 'ready')
  const failed = count((upload) => upload.phase === 'failed' || upload.preparation?.status === 'failed')
  return [
    ...(preparing > 0 ? [`${preparing} being prepared`] : []),
    ...(done > 0 ? [`${done} done`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ')
}
