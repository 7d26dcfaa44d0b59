import { Button, Textarea } from '@mantine/core'
import { IconShieldOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { type Media, useTakedown } from '../api.ts'
import styles from './MediaDetail.module.css'

/** What stands in place of an item that was taken down, for its owner and the operator. */
export function TakenDownStage({ media }: { media: Media }) {
  const { currentUser } = useSession()
  const own = media.creatorId === currentUser?._id
  return (
    <div className={styles.box} style={{ aspectRatio: '4 / 3', '--ratio': 4 / 3 } as object}>
      <div className={styles.locked} role="status">
        <IconShieldOff size={30} stroke={1.5} aria-hidden />
        <p>This media was taken down.</p>
        <p className={styles.hint}>
          {own
            ? 'Nobody can see it, including you and the people who bought it. Contact us if you think this is a mistake.'
            : 'Nobody can see it, including its owner and the people who bought it.'}
        </p>
      </div>
    </div>
  )
}

const SHORTEST_REASON = 3

/** The operator takes an item down, or releases it, with a reason for the audit log. */
export function TakedownControl({ media }: { media: Media }) {
  const takedown = useTakedown(media._id)
  const [opened, setOpened] = useState(false)
  const [reason, setReason] = useState('')
  const isDown = media.takenDownAt !== undefined
  const close = () => {
    setOpened(false)
    setReason('')
  }
  const confirm = async () => {
    if (reason.trim().length < SHORTEST_REASON) throw new Error('Say why, in a few words.')
    await takedown.mutateAsync({ down: !isDown, reason: reason.trim() })
    setReason('')
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {isDown ? 'Release this media' : 'Take down'}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={isDown ? 'Release this media?' : 'Take this media down?'}
        confirmLabel={isDown ? 'Release' : 'Take down'}
        destructive={!isDown}
        onConfirm={confirm}
      >
        <p>
          {isDown
            ? 'Everyone who could see it before can see it again.'
            : 'Nobody can see or download it from now on, including its owner and the people who bought it. You can release it later.'}
        </p>
        <Textarea
          label="Reason"
          description="Kept in the audit log."
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  )
}
