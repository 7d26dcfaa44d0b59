import { useMemo } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { formatTime } from '../../../ui/format.ts'
import { LinkedText } from '../../../ui/LinkedText.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { useAttachmentUploads } from '../../media/parts/attachments/attachment-uploads.ts'
import { FileThumb } from '../../media/parts/attachments/FileThumb.tsx'
import type { Outbox } from '../outbox/outbox.ts'
import { isLimited, type Outgoing } from '../outbox/outgoing.ts'
import { chatTexts, messageTexts as texts } from '../texts.ts'
import { DeliveryMark, Meta } from './DeliveryMark.tsx'
import styles from './MessageRow.module.css'

type OutgoingBubbleProps = {
  message: Outgoing
  /** Behind another one that is limited. */
  behind: boolean
  outbox: Outbox
  /** Puts it back to where one writes; files that are still uploading are stopped. */
  onRewrite: ((unsent: Outgoing) => void) | null
}

/** One's own message before the server has it: with its files on their way, or why it wasn't sent, or waits, and what to do. */
export function OutgoingBubble({ message, behind, outbox, onRewrite }: OutgoingBubbleProps) {
  const { clientMessageId, content, uploadKeys, mediaIds, items = [], state, error, createdAt } = message
  const isWhole = items.length === mediaIds.length
  const { all } = useAttachmentUploads()
  const files = useMemo(() => all.filter(({ key }) => uploadKeys.includes(key)), [all, uploadKeys])
  // Those of a page that was closed are gone.
  const hasFiles = files.length === uploadKeys.length
  const uploading = files.some((file) => file.state === 'uploading')
  return (
    <div className={styles.column}>
      <article className={styles.bubble} data-state={state} data-media={uploadKeys.length > 0 || undefined}>
        {files.length > 0 && (
          <div className={styles.files}>
            {files.map((file) => (
              <FileThumb key={file.key} file={file.file} fileName={file.fileName} />
            ))}
          </div>
        )}
        {uploading && <ProgressBar label={texts.uploading} percent={averageOf(files)} />}
        {mediaIds.length > 0 && <p className={styles.text}>{chatTexts.attachments(mediaIds.length)}</p>}
        {content && (
          <p className={styles.text}>
            <LinkedText>{content}</LinkedText>
          </p>
        )}
        <Meta createdAt={createdAt}>
          <DeliveryMark state={state === 'failed' || state === 'sent' ? state : 'sending'} />
        </Meta>
      </article>
      {uploading && state === 'waiting' && onRewrite && isWhole && (
        <div className={styles.waiting}>
          <Button size="sm" variant="subtle" onClick={() => onRewrite(message)}>
            {texts.cancelUpload}
          </Button>
        </div>
      )}
      {state === 'failed' && (
        <div className={styles.failed} role="alert">
          <p>
            {texts.failed}. {error}
          </p>
          {hasFiles && (
            <Button size="sm" variant="default" onClick={() => outbox.retry(clientMessageId)}>
              {texts.retry}
            </Button>
          )}
          {onRewrite && isWhole && !message.mayBeStored && (
            <Button size="sm" variant="default" onClick={() => onRewrite(message)}>
              {texts.edit}
            </Button>
          )}
          <Discard {...{ clientMessageId, outbox }} />
        </div>
      )}
      {state === 'waiting' && (behind || isLimited(message)) && (
        <div className={styles.waiting} role="status">
          <p>
            {behind
              ? texts.behind
              : `${error} ${texts.againAt(formatTime(new Date(message.notBefore ?? 0)))}`}
          </p>
          <Discard {...{ clientMessageId, outbox }} />
        </div>
      )}
    </div>
  )
}

function Discard({ clientMessageId, outbox }: { clientMessageId: string; outbox: Outbox }) {
  return (
    <Button size="sm" variant="subtle" onClick={() => outbox.discard(clientMessageId)}>
      {texts.discard}
    </Button>
  )
}

function averageOf(files: readonly { percent: number | null }[]): number {
  return files.reduce((sum, { percent }) => sum + (percent ?? 0), 0) / files.length
}
