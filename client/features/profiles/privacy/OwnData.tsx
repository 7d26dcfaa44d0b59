import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { AnchorButton, Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatBytes, formatDate } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { exportsQuery, useRequestExport } from '../api.ts'
import styles from './privacy.module.css'

const STATES = {
  waiting: 'Being made. We mail you when it is ready.',
  failed: 'Could not be made. Ask again.',
}

/** Everything the site holds of the person, as a download that a job makes. */
export function OwnData() {
  const list = useQuery(exportsQuery)
  const request = useRequestExport()
  if (list.isPending) return <SkeletonLines lines={2} />
  if (list.isError) {
    return (
      <ErrorState
        title="Your downloads could not be loaded"
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const waiting = list.data.some(({ status }) => status === 'waiting')
  return (
    <div className={styles.part}>
      <p>Your account, your media and what you bought and sold, in one archive.</p>
      {list.data.length > 0 && (
        <ul className={styles.exports}>
          {list.data.map(({ _id, status, url, bytes, requestedAt, expiresAt }) => (
            <li key={_id} className={styles.export}>
              <span className={styles.words}>
                Asked for on {formatDate(requestedAt)}
                <span className={styles.quiet}>
                  {status === 'ready'
                    ? `${formatBytes(bytes ?? 0)}, can be downloaded until ${formatDate(expiresAt)}`
                    : STATES[status]}
                </span>
              </span>
              {url && (
                <AnchorButton
                  href={url}
                  download
                  variant="default"
                  size="sm"
                  leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
                >
                  Download
                </AnchorButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <FormError>{request.error ? errorMessage(request.error) : null}</FormError>
      <div>
        <Button
          variant="default"
          onClick={() => request.mutate()}
          loading={request.isPending}
          disabled={waiting}
        >
          Ask for your data
        </Button>
      </div>
    </div>
  )
}
