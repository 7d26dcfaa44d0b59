import type { ReactNode } from 'react'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import type { UploadQueue } from './queue.ts'
import { isTravelling, type Upload } from './rules.ts'
import { texts } from './texts.ts'
import styles from './UploadPanel.module.css'
import { type Finished, UploadRow } from './UploadRow.tsx'
import { useOffline } from './use-uploads.ts'
import { percentText, summaryOf, totalPercent, view } from './view.ts'

type UploadListProps = {
  uploads: readonly Upload[]
  queue: UploadQueue
  finished: Finished
  /** Settings for all of them, below their progress, which a phone shows without scrolling. */
  forAll?: ReactNode
}

/** All files of a queue and how far they are together. */
export function UploadList({ uploads, queue, finished, forAll }: UploadListProps) {
  const traveling = uploads.filter(isTravelling).length
  const offline = useOffline()
  const asked = uploads.filter((upload) => upload.phase === 'asking')
  const over = uploads.filter((upload) => {
    const { tone, canRetry } = view(upload)
    return tone === 'failed' && !canRetry
  })
  const each = (chosen: readonly Upload[], act: (key: string) => void) => {
    for (const { key } of chosen) act(key)
  }
  return (
    <section aria-label={texts.files}>
      <div className={styles.whole}>
        {traveling > 0 && (
          <ProgressBar
            label={texts.uploading(traveling)}
            percent={totalPercent(uploads)}
            note={percentText(totalPercent(uploads))}
          />
        )}
        <p className={styles.summary} role="status">
          {traveling > 0 ? (offline ? texts.offlineKeepOpen : texts.meanwhile) : summaryOf(uploads)}
        </p>
        {asked.length > 1 && (
          <div className={styles.duplicates}>
            <p>{texts.duplicates(asked.length)}</p>
            <Button size="sm" variant="default" onClick={() => each(asked, queue.skip)}>
              {texts.skipAll(asked.length)}
            </Button>
            <Button size="sm" variant="default" onClick={() => each(asked, queue.insist)}>
              {texts.uploadAll}
            </Button>
          </div>
        )}
        {over.length > 1 && (
          <div>
            <Button size="sm" variant="subtle" onClick={() => each(over, queue.remove)}>
              {texts.removeFailed(over.length)}
            </Button>
          </div>
        )}
      </div>
      {forAll}
      <ul className={styles.list}>
        {uploads.map((upload) => (
          <UploadRow key={upload.key} upload={upload} queue={queue} finished={finished} />
        ))}
      </ul>
      {uploads.some((upload) => upload.preparation?.status === 'ready') && (
        <p className={styles.next}>
          {texts.finished} <TextLink to={paths.manageMedia}>{texts.manage}</TextLink>
        </p>
      )}
    </section>
  )
}
