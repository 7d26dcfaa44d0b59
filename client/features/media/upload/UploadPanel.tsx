import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { MAX_FILE_BYTES } from '../../../../contract/constants.ts'
import { useConfig } from '../../../lib/config.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ChoiceField } from '../../../ui/ChoiceField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { pastedFiles } from './files.ts'
import { ResumableUploads } from './ResumableUploads.tsx'
import type { Upload } from './rules.ts'
import { UploadList } from './UploadList.tsx'
import styles from './UploadPanel.module.css'
import { useUploads } from './use-uploads.ts'

const FilePicker = lazyPart(
  () => import('./FilePicker.tsx').then((module) => module.default),
  <Skeleton height="14rem" />,
)

const MODES = [
  { value: 'signed', label: 'Several at once', description: 'Fastest; what breaks off goes on where it was' },
  {
    value: 'chunked',
    label: 'One at a time, in chunks',
    description: 'For lines that break off every minute or refuse large requests',
  },
] as const satisfies { value: Upload['mode']; label: string; description: string }[]

/** Several files at once or one at a time in chunks, each with its own progress (docs/product.md, Pages, Upload media page). */
export function UploadPanel() {
  const person = useCurrentUser()
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  const { queue, uploads } = useUploads('many')
  const [mode, setMode] = useState<Upload['mode']>('signed')
  const [missing, setMissing] = useState(false)
  const chosen = uploads.filter((upload) => upload.phase === 'chosen').length

  const choose = (files: readonly File[]) => {
    setMissing(false)
    queue.choose(files, { maxBytes, mode })
  }
  usePastedFiles(choose)

  const submit = () => {
    setMissing(chosen === 0)
    queue.submit()
  }
  return (
    <div className={styles.panel}>
      <ChoiceField label="How to send" choices={MODES} value={mode} onChange={setMode} />
      <FilePicker onFiles={choose} />
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
