import { errorMessage } from '../../../lib/api.ts'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type TimelineItem, useRetryComment } from './api.ts'
import { itemTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

/** The first comment of a post that its person makes, to paste; or why it wasn’t posted, and what can be done about it. */
export function FirstComment({ item }: { item: TimelineItem }) {
  const isFailed = item.commentState === 'failed'
  return (
    <div className={styles.part}>
      {isFailed ? (
        <p className={styles.warning}>{texts.commentFailed(item.commentFailure)}</p>
      ) : (
        <p className={styles.quiet}>{texts.commentHint}</p>
      )}
      {item.commentToPaste !== null && <CopyField label={texts.commentToPaste} value={item.commentToPaste} />}
      {isFailed && item.accountId !== null && <RetryComment itemId={item._id} />}
    </div>
  )
}

function RetryComment({ itemId }: { itemId: string }) {
  const retry = useRetryComment()
  return (
    <Button
      variant="default"
      size="sm"
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(itemId, {
          onSuccess: () => toast.success(texts.retriesComment),
          onError: (error) => toast.failure(errorMessage(error)),
        })
      }
    >
      {texts.retryComment}
    </Button>
  )
}
