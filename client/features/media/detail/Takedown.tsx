import { useState } from 'react'
import { quarantineRoutes } from '../../../../contract/routes/media/quarantine.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { type Media, useTakedown } from '../api.ts'

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
