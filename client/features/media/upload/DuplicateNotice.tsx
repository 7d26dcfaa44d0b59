import { IconCopy } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import styles from './DuplicateNotice.module.css'
import type { UploadQueue } from './queue.ts'
import type { Upload } from './rules.ts'
import { texts } from './texts.ts'
import type { UploadView } from './view.ts'

/** Says that a file's content is there already, and asks whether it is wanted all the same. */
export function DuplicateNotice({
  upload,
  duplicate,
  queue,
}: {
  upload: Upload
  duplicate: NonNullable<UploadView['duplicate']>
  queue: UploadQueue
}) {
  const { key, fileName } = upload
  return (
    <section className={styles.notice} aria-label={texts.duplicate.label(fileName)}>
      <p className={styles.text}>
        <IconCopy size={18} stroke={1.75} aria-hidden className={styles.icon} />
        <span>
          {duplicate.mediaId === null ? (
            texts.duplicate.inList(duplicate.title)
          ) : (
            <>
              {texts.duplicate.inLibrary}{' '}
              <TextLink to={paths.media(duplicate.mediaId)}>
                {duplicate.title || texts.duplicate.untitled}
              </TextLink>
            </>
          )}
        </span>
      </p>
      <div className={styles.actions}>
        <Button size="sm" variant="default" onClick={() => queue.insist(key)}>
          {texts.duplicate.upload}
        </Button>
        <Button size="sm" variant="default" onClick={() => queue.skip(key)}>
          {texts.duplicate.skip}
        </Button>
      </div>
    </section>
  )
}
