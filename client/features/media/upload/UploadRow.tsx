import { ActionIcon } from '@mantine/core'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { formatBytes } from '../../../ui/format-occasional.ts'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { FileThumb } from '../parts/attachments/FileThumb.tsx'
import { DuplicateNotice } from './DuplicateNotice.tsx'
import type { UploadQueue } from './queue.ts'
import type { Upload } from './rules.ts'
import { texts } from './texts.ts'
import styles from './UploadPanel.module.css'
import { useOffline } from './use-uploads.ts'
import { view } from './view.ts'

/** The view of a finished file, which depends on its purpose. */
export type Finished = (mediaId: string, fileName: string) => ReactNode

/** One file: how far it is, what can be done about it, and the finished item once it is there. */
export function UploadRow({
  upload,
  queue,
  finished,
}: {
  upload: Upload
  queue: UploadQueue
  finished: Finished
}) {
  const { tone, status, percent, percentText, mediaId, canCancel, canRetry, duplicate } = view(
    upload,
    useOffline(),
  )
  const { key, fileName } = upload
  return (
    <li className={styles.file}>
      <div className={styles.row}>
        {!mediaId && <FileThumb file={queue.fileOf(key)} fileName={fileName} />}
        <div className={styles.progress}>
          {tone === 'busy' ? (
            <ProgressBar label={fileName} percent={percent} {...(percentText ? { note: percentText } : {})} />
          ) : (
            <p className={styles.name}>
              <span>{fileName}</span>
              {upload.bytes > 0 && <span className={styles.size}>{formatBytes(upload.bytes)}</span>}
            </p>
          )}
          <p className={styles.status} data-tone={tone}>
            {tone === 'done' && <IconCheck size={15} stroke={2} aria-hidden />}
            {status}
          </p>
        </div>
        {canRetry && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
            onClick={() => queue.retry(key)}
            aria-label={texts.retryFile(fileName)}
          >
            {texts.retry}
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => (canCancel ? queue.cancel(key) : queue.remove(key))}
          aria-label={canCancel ? texts.cancel(fileName) : texts.remove(fileName)}
        >
          <IconX size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      {duplicate && <DuplicateNotice upload={upload} duplicate={duplicate} queue={queue} />}
      {mediaId && finished(mediaId, fileName)}
    </li>
  )
}
