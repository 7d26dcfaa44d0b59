import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { AnchorButton, Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatBytes } from '../../../ui/format-occasional.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { exportsQuery, useRequestExport } from './api.ts'
import styles from './privacy.module.css'
import { dataTexts as texts } from './texts.ts'

/** Everything the site holds of the person, as a download that a job makes. */
export function OwnData() {
  const list = useQuery(exportsQuery)
  const request = useRequestExport()
  return (
    <Fetched query={list} waiting={<SkeletonLines lines={2} />} failed={texts.loadFailed}>
      {(exports) => (
        <div className={styles.part}>
          <p>{texts.about}</p>
          {exports.length > 0 && (
            <ul className={styles.exports}>
              {exports.map(({ _id, status, url, bytes, requestedAt, expiresAt }) => (
                <li key={_id} className={styles.export}>
                  <span className={styles.words}>
                    {texts.requestedOn(formatDate(requestedAt))}
                    <span className={styles.quiet}>
                      {status === 'ready'
                        ? texts.readyUntil(formatBytes(bytes ?? 0), formatDate(expiresAt))
                        : texts[status]}
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
                      {texts.download}
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
              disabled={exports.some(({ status }) => status === 'waiting')}
            >
              {texts.request}
            </Button>
          </div>
        </div>
      )}
    </Fetched>
  )
}
