import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { MAX_FILE_BYTES } from '../../../../contract/constants.ts'
import { useConfig } from '../../../lib/config.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { pastedFiles } from '../parts/attachments/files.ts'
import type { Subscriptions } from './ForAll.tsx'
import { forLibrary } from './purpose.ts'
import { ResumableUploads } from './ResumableUploads.tsx'
import { isPreparing, isTravelling, type Upload } from './rules.ts'
import { texts } from './texts.ts'
import styles from './UploadPanel.module.css'
import { useUploads } from './use-uploads.ts'

const FilePicker = lazyPart(
  () => import('./FilePicker.tsx').then((module) => module.default),
  <Skeleton height="14rem" />,
)
// Parts that need a chosen file are loaded with it.
const ForAll = lazyPart(() => import('./ForAll.tsx').then((module) => module.ForAll))
const FinishedMedia = lazyPart(() => import('./FinishedMedia.tsx').then((module) => module.FinishedMedia))
const UploadList = lazyPart(
  () => import('./UploadList.tsx').then((module) => module.UploadList),
  <Skeleton height="5rem" />,
)

const MODES = [
  { value: 'signed', ...texts.modes.signed },
  { value: 'chunked', ...texts.modes.chunked },
] as const satisfies { value: Upload['mode']; label: string; description: string }[]

/**
 * Several files at once or one at a time in chunks, sent as soon as they are chosen, each with its own progress
 * (docs/product.md, Pages, Upload media page).
 */
export function UploadPanel({ subscriptions }: { subscriptions: Subscriptions }) {
  const person = useCurrentUser()
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const { queue, uploads } = useUploads(forLibrary, 'many')
  const [mode, setMode] = useState<Upload['mode']>('signed')
  const [missing, setMissing] = useState(false)
  const [choices, setChoices] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // A phone would show hardly more of what is done with them than the bar at its end leaves.
  useEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    if (choices > 0 && top > innerHeight / 2) list.current?.scrollIntoView()
  }, [choices])
  const mediaIds = uploads.flatMap(({ preparation }) => preparation?.mediaId ?? [])

  const choose = (files: readonly File[]) => {
    setMissing(false)
    queue.choose(files, { maxBytes, mode })
    setChoices((count) => count + 1)
  }
  usePastedFiles(choose)

  return (
    <div className={styles.panel}>
      <FilePicker onFiles={choose} onNone={() => setMissing(uploads.length === 0)} />
      <FormError>{missing && texts.noFile}</FormError>
      <Fold title={texts.howSent}>
        <ChoiceField label={texts.howToSend} choices={MODES} value={mode} onChange={setMode} />
      </Fold>
      {uploads.length > 0 && (
        <div ref={list} className={styles.chosen}>
          <UploadList
            uploads={uploads}
            queue={queue}
            forAll={
              uploads.length > 1 &&
              person.isCreator && (
                <ForAll
                  mediaIds={mediaIds}
                  coming={uploads.filter((upload) => isTravelling(upload) || isPreparing(upload)).length}
                  subscriptions={subscriptions}
                />
              )
            }
            finished={(mediaId, fileName) => (
              <FinishedMedia mediaId={mediaId} fileName={fileName} sells={person.isCreator} />
            )}
          />
        </div>
      )}
      <ResumableUploads queue={queue} uploads={uploads} maxBytes={maxBytes} />
    </div>
  )
}

/** Files that are pasted anywhere on the page, unless the place where they were pasted took them. */
function usePastedFiles(onFiles: (files: readonly File[]) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented) return
    const files = pastedFiles(event, new Date())
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    addEventListener('paste', take)
    return () => removeEventListener('paste', take)
  }, [])
}
