import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { discardUnsaved } from '../../../lib/unsaved.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type OneRecord, useRemoveRecord, useUpdateRecord, useVerifySubreddit } from './api.ts'
import styles from './record.module.css'
import { recordTexts as texts } from './texts.ts'

const ConfirmDialog = lazyPart(() =>
  import('../../../ui/ConfirmDialog.tsx').then((module) => module.ConfirmDialog),
)

/** Marks a verification as done, or removes one’s own after a question. */
export function RecordActions({ record, userId }: { record: OneRecord; userId: string | undefined }) {
  const { name, status, recorded } = record
  const { isCreator } = useCurrentUser()
  const isOwn = userId === undefined && isCreator
  const verify = useVerifySubreddit(name)
  const update = useUpdateRecord(name, userId)
  const remove = useRemoveRecord()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const asked = useLatch(asking)
  const outcome = {
    onSuccess: () => toast.success(texts.verified(name)),
    onError: (error: unknown) => toast.failure(errorMessage(error)),
  }
  return (
    <div className={styles.actions}>
      {status === 'done' ? (
        <Tag tone="good">{texts.isVerified}</Tag>
      ) : (
        <Button
          leftSection={<IconCheck size={18} stroke={1.75} aria-hidden />}
          loading={verify.isPending || update.isPending}
          onClick={() =>
            isOwn ? verify.mutate(undefined, outcome) : update.mutate({ status: 'done' }, outcome)
          }
        >
          {texts.verify}
        </Button>
      )}
      {isOwn && recorded && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {texts.remove}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          opened={asking}
          onClose={() => setAsking(false)}
          title={texts.removeTitle(name)}
          confirmLabel={texts.remove}
          destructive
          onConfirm={async () => {
            await remove.mutateAsync(name)
            discardUnsaved()
            toast.success(texts.removed(name))
            void navigate(promotionPaths.progress)
          }}
        >
          <p>{texts.removeEffect}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
