import { ActionIcon, FileButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Section } from '../../../ui/Page.tsx'
import { ACCEPT } from '../parts/attachments/files.ts'
import type { UploadQueue } from './queue.ts'
import styles from './ResumableUploads.module.css'
import { forget, rememberedBy } from './remembered.ts'
import { resumeRefusal, type Upload } from './rules.ts'
import { texts } from './texts.ts'
import {
  heldUploadsQuery,
  UNFINISHED_KEY,
  type UnfinishedUpload,
  unfinishedUploadsQuery,
} from './unfinished.ts'
import { arrivedPercent, percentText } from './view.ts'

/**
 * Uploads of an earlier visit: unfinished files wait to be chosen again, those that the server still prepares join
 * the list.
 */
export function ResumableUploads({
  queue,
  uploads,
  maxBytes,
  onlyChunked = false,
}: {
  queue: UploadQueue
  uploads: readonly Upload[]
  maxBytes: number
  onlyChunked?: boolean
}) {
  const known = new Set(uploads.map(({ uploadId }) => uploadId))
  const held = useQuery(heldUploadsQuery).data
  const elsewhere = held?.filter((uploadId) => !known.has(uploadId))
  const started = useQuery({ ...unfinishedUploadsQuery(elsewhere ?? []), enabled: elsewhere !== undefined })
  const wanted = started.data?.filter(({ totalChunks }) => !onlyChunked || totalChunks !== null)
  useEffect(() => {
    const all = started.isPlaceholderData ? [] : (started.data ?? [])
    queue.adopt(
      all.filter(
        ({ status, totalChunks }) => status !== 'awaiting' && (!onlyChunked || totalChunks !== null),
      ),
    )
  }, [queue, started.data, started.isPlaceholderData, onlyChunked])

  const left = wanted?.filter(({ status, uploadId }) => status === 'awaiting' && !known.has(uploadId)) ?? []
  return (
    <Fetched query={started} waiting={null} failed={texts.unfinished.failed}>
      {() =>
        left.length > 0 && (
          <Section title={texts.unfinished.title}>
            <ul className={styles.list}>
              {left.map((upload) => (
                <ResumableUploadRow key={upload.uploadId} upload={upload} queue={queue} maxBytes={maxBytes} />
              ))}
            </ul>
          </Section>
        )
      }
    </Fetched>
  )
}

function ResumableUploadRow({
  upload,
  queue,
  maxBytes,
}: {
  upload: UnfinishedUpload
  queue: UploadQueue
  maxBytes: number
}) {
  const person = useCurrentUser()
  const [problem, setProblem] = useState<string | null>(null)
  const { uploadId, fileName, totalChunks } = upload
  const record = rememberedBy(person._id).find((one) => one.uploadId === uploadId)
  const arrived = arrivedPercent(upload)

  const giveUp = useMutation({
    mutationFn: () => call(routes.cancelUpload, { body: { uploadId } }),
    onMutate: () => forget(person._id, uploadId),
    onError: (error) => setProblem(errorMessage(error)),
    meta: { invalidates: [UNFINISHED_KEY], onFailure: [UNFINISHED_KEY] },
  })
  const goOn = (file: File | null) => {
    if (!file) return
    const refusal = resumeRefusal(upload, file, record)
    setProblem(refusal)
    const mode = totalChunks === null ? 'signed' : 'chunked'
    if (refusal === null) queue.choose([file], { maxBytes, mode, uploadId })
  }
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <p className={styles.name}>{fileName}</p>
        <p className={styles.state}>
          {arrived === null
            ? texts.unfinished.nothingArrived
            : texts.unfinished.arrived(percentText(arrived))}
        </p>
        <FormError>{problem}</FormError>
      </div>
      <FileButton
        onChange={goOn}
        accept={ACCEPT}
        inputProps={{ 'aria-label': texts.unfinished.fileFor(fileName) }}
      >
        {(button) => (
          <Button {...button} size="sm" variant="default" aria-describedby={undefined}>
            {texts.unfinished.resume}
          </Button>
        )}
      </FileButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => giveUp.mutate()}
        aria-label={texts.unfinished.discard(fileName)}
      >
        <IconX size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </li>
  )
}
