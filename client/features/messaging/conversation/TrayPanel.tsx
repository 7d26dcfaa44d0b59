import { IconPhoto, IconRefresh, IconX } from '@tabler/icons-react'
import { pictureOf } from '../../../../contract/media-links.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import type { FeedMedia } from '../../media/api.ts'
import type { AttachmentUpload, AttachmentUploads } from '../../media/parts/attachments/attachment-uploads.ts'
import { FileThumb } from '../../media/parts/attachments/FileThumb.tsx'
import { trayTexts as texts } from '../occasional-texts.ts'
import styles from './Composer.module.css'
import { isFree, type Tray } from './writing.ts'

export const loadPrice = () => import('./TrayPrice.tsx')
const TrayPrice = lazyPart(() => loadPrice().then((module) => module.default))

type TrayPanelProps = {
  tray: Tray
  files: readonly AttachmentUpload[]
  uploads: AttachmentUploads
  /** Only creators sell. */
  creates: boolean
  onChange: (tray: Tray) => void
  /** Takes everything away. */
  onCancel: () => void
}

/** The files that will hang on the message, each with how far it is, and for creators what they cost. */
export function TrayPanel({ tray, files, uploads, creates, onChange, onCancel }: TrayPanelProps) {
  const uploading = files.some((file) => file.state === 'uploading')
  const without = (key: string) => {
    uploads.drop(key)
    onChange({ ...tray, uploadKeys: tray.uploadKeys.filter((one) => one !== key) })
  }
  return (
    <section className={styles.tray} aria-label={texts.sendingMedia}>
      <header className={styles.trayHead}>
        <p className={styles.trayTitle}>{texts.sendingMedia}</p>
        <p role="status" className={styles.trayState}>
          {uploading && texts.uploading}
        </p>
        <Button size="sm" variant="subtle" onClick={onCancel}>
          {texts.cancelUpload}
        </Button>
      </header>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.key} className={styles.file}>
            <FileThumb file={file.file} fileName={file.fileName} />
            <div className={styles.fileWords}>
              {file.state === 'uploading' ? (
                <ProgressBar label={file.fileName} percent={file.percent} />
              ) : (
                <p className={styles.fileName}>{file.fileName}</p>
              )}
              {file.state === 'failed' && <p className={styles.fileFailed}>{file.status}</p>}
            </div>
            {file.canRetry && (
              <button
                type="button"
                className={styles.icon}
                aria-label={texts.retryFile(file.fileName)}
                onClick={() => uploads.retry(file.key)}
              >
                <IconRefresh size={20} stroke={1.5} aria-hidden />
              </button>
            )}
            <Remove name={file.fileName} onRemove={() => without(file.key)} />
          </li>
        ))}
        {tray.items.map((media) => (
          <li key={media._id} className={styles.file}>
            <ItemThumb media={media} />
            <div className={styles.fileWords}>
              <p className={styles.fileName}>{media.title || texts.untitled}</p>
              {tray.price !== '' && isFree(media) && <p className={styles.fileFailed}>{texts.free}</p>}
            </div>
            <Remove
              name={media.title || texts.untitled}
              onRemove={() => onChange({ ...tray, items: tray.items.filter((one) => one !== media) })}
            />
          </li>
        ))}
      </ul>
      {creates && (
        <div className={styles.price}>
          <TrayPrice
            label={texts.price}
            description={texts.priceHint}
            value={tray.price}
            onChange={(price: string) => onChange({ ...tray, price })}
          />
        </div>
      )}
    </section>
  )
}

function Remove({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button type="button" className={styles.icon} aria-label={texts.removeFile(name)} onClick={onRemove}>
      <IconX size={20} stroke={1.5} aria-hidden />
    </button>
  )
}

function ItemThumb({ media }: { media: FeedMedia }) {
  const picture = pictureOf(media)
  return (
    <span className={styles.thumb} aria-hidden>
      {picture ? <img src={picture} alt="" /> : <IconPhoto size={22} stroke={1.5} />}
    </span>
  )
}
