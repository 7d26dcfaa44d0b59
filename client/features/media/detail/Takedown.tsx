import { Button } from '@mantine/core'
import { IconShieldOff } from '@tabler/icons-react'
import { useState } from 'react'
import { quarantineRoutes } from '../../../../contract/routes/media/quarantine.ts'
import { useSession } from '../../../lib/session.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
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

/** The operator takes an item down, or releases it, with a reason for the audit log. */
export function TakedownControl({ media }: { media: Media }) {
  const takedown = useTakedown(media._id)
  const [opened, setOpened] = useState(false)
  const isDown = media.takenDownAt !== undefined
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {isDown ? 'Release this media' : 'Take down'}
      </Button>
      <ReasonDialog
        route={isDown ? quarantineRoutes.releaseMedia : quarantineRoutes.quarantineMedia}
        opened={opened}
        onClose={() => setOpened(false)}
        title={isDown ? 'Release this media?' : 'Take this media down?'}
        confirmLabel={isDown ? 'Release' : 'Take down'}
        destructive={!isDown}
        onConfirm={(reason) => takedown.mutateAsync({ down: !isDown, reason })}
      >
        {isDown
          ? 'Everyone who could see it before can see it again.'
          : 'Nobody can see or download it from now on, including its owner and the people who bought it. You can release it later.'}
      </ReasonDialog>
    </>
  )
}
