import { IconPlayerPause } from '@tabler/icons-react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Queue, useEditQueue, useStopAccount } from './api.ts'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

const failed = { onError: (error: unknown) => toast.failure(errorMessage(error)) }

/** Reasons why nothing is posted right now: a pause, or accounts that rest or are stopped. */
export function QueueNotices({ queue }: { queue: Queue }) {
  const edit = useEditQueue()
  const stop = useStopAccount()
  return (
    <div className={styles.notices} role="status">
      {queue.paused && (
        <div className={styles.notice} data-tone="warning">
          <IconPlayerPause size={20} stroke={1.75} aria-hidden />
          <p>{texts.paused}</p>
          <Button
            size="sm"
            loading={edit.isPending}
            onClick={() =>
              edit.mutate({ paused: false }, { ...failed, onSuccess: () => toast.success(texts.resumed) })
            }
          >
            {texts.resume}
          </Button>
        </div>
      )}
      {queue.accounts.map(({ _id, name, state, stoppedBy, restingUntil, restReason }) => {
        if (state === 'resting' && restingUntil)
          return (
            <p key={_id} className={styles.notice}>
              {restReason === 'pace' ? texts.pacing(name, restingUntil) : texts.resting(name, restingUntil)}
            </p>
          )
        if (state !== 'stopped') return null
        return (
          <div key={_id} className={styles.notice} data-tone={stoppedBy === 'forum' ? 'bad' : 'warning'}>
            <p>{stoppedBy === 'forum' ? texts.stopped(name) : texts.stoppedByYou(name)}</p>
            <Button
              variant="default"
              size="sm"
              loading={stop.isPending}
              onClick={() => stop.mutate({ accountId: _id, stopped: false }, failed)}
            >
              {texts.postAgain}
            </Button>
          </div>
        )
      })}
    </div>
  )
}
