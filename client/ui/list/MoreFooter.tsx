import { errorMessage } from '../../lib/api.ts'
import { Button } from '../core/Button.tsx'
import { stateTexts } from '../texts.ts'
import styles from './GrowingList.module.css'
import type { List } from './use-list.ts'

type MoreFooterProps = { list: List; byButton: boolean; label?: string | undefined }

/** The end of a list that grows: that more is on its way, why it did not come, and the way to it. */
export function MoreFooter({ list, byButton, label = stateTexts.showMore }: MoreFooterProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = list
  const offered = hasNextPage && !isFetchingNextPage && (byButton || isFetchNextPageError)
  return (
    <div
      className={styles.more}
      data-compact={byButton || undefined}
      data-more={(hasNextPage && !byButton && !isFetchNextPageError) || undefined}
      aria-live="polite"
    >
      {isFetchingNextPage && (
        <span className={styles.loading} role="status" aria-label={stateTexts.loadingMore} />
      )}
      {isFetchNextPageError && <p className={styles.failure}>{errorMessage(error)}</p>}
      {offered && (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {isFetchNextPageError ? stateTexts.tryAgain : label}
        </Button>
      )}
    </div>
  )
}
