import { IconPhotoPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_ATTACHMENTS } from '../../../../contract/constants.ts'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAttachmentUploads } from '../../media/parts/attachments/attachment-uploads.ts'
import { ACCEPT } from '../../media/parts/attachments/files.ts'
import LibraryPicker from '../conversation/LibraryPicker.tsx'
import { TrayPanel } from '../conversation/TrayPanel.tsx'
import { emptyTray, trayOf } from '../conversation/writing.ts'
import { composerTexts } from '../texts.ts'
import { useDeliver } from './api.ts'
import { answerTexts as texts } from './texts.ts'

type DeliverDialogProps = { requestId: string; onClose: () => void }

/** Delivers a paid request: new files, items of the library, or both. Files stay with the request while it is closed. */
export function DeliverDialog({ requestId, onClose }: DeliverDialogProps) {
  const { uploads, all, maxBytes } = useAttachmentUploads()
  const [tray, setTray] = useState(() => trayOf(requestId).read())
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => trayOf(requestId).write(tray), [requestId, tray])
  const files = all.filter(({ key }) => tray.uploadKeys.includes(key))
  const uploaded = files.flatMap(({ mediaId }) => mediaId ?? [])

  const deliver = useDeliver({
    onSuccess: (_answer, { uploadKeys }) => {
      for (const key of uploadKeys) uploads.forget(key)
      trayOf(requestId).write(emptyTray)
      onClose()
      toast.success(texts.wasDelivered)
    },
    // What was chosen stays, to be changed.
    onError: (failure) => toast.failure(errorMessage(failure)),
  })

  const attach = (chosen: readonly File[], items: number) => {
    if (items + files.length + chosen.length > MAX_ATTACHMENTS)
      return setError(texts.tooMany(MAX_ATTACHMENTS))
    setError(null)
    const keys = uploads.choose(chosen, maxBytes)
    setTray((before) => ({ ...before, uploadKeys: [...before.uploadKeys, ...keys] }))
  }
  const send = (mediaIds: string[]) => {
    if (!deliver.isPending) deliver.mutate({ requestId, mediaIds, uploadKeys: tray.uploadKeys })
  }
  return (
    <LibraryPicker
      opened
      most={MAX_ATTACHMENTS - files.length}
      attached={[]}
      sold
      title={texts.deliverTitle}
      submit={(count) => texts.deliverCount(count + files.length)}
      others={{
        count: files.length,
        ready: uploaded.length === files.length,
        part: (items) => (
          <>
            <Button
              variant="default"
              fullWidth
              leftSection={<IconPhotoPlus size={18} aria-hidden />}
              onClick={() => input.current?.click()}
            >
              {composerTexts.upload}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              multiple
              accept={ACCEPT}
              aria-label={composerTexts.upload}
              onChange={(event) => {
                attach([...(event.currentTarget.files ?? [])], items)
                // The same file may be chosen again.
                event.currentTarget.value = ''
              }}
            />
            <FormError>{error}</FormError>
            {files.length > 0 && (
              <TrayPanel
                tray={tray}
                files={files}
                uploads={uploads}
                creates={false}
                onChange={setTray}
                onCancel={() => {
                  for (const { key } of files) uploads.drop(key)
                  setTray(emptyTray)
                }}
              />
            )}
          </>
        ),
      }}
      sending={deliver.isPending}
      onClose={onClose}
      onAttach={(items) => send([...new Set([...uploaded, ...items.map(({ _id }) => _id)])])}
    />
  )
}
