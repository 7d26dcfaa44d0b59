import { useState } from 'react'
import { quarantineRoutes } from '../../../../contract/routes/media/quarantine.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import type { Media } from '../api.ts'
import { useTakedown } from '../parts/takedown/use-takedown.ts'
import { detailTexts as texts } from './texts.ts'

const ReasonDialog = lazyPart(() =>
  import('../../../ui/ReasonDialog.tsx').then((module) => module.ReasonDialog),
)

/** The operator takes an item down, or releases it, with a reason for the audit log. */
export function TakedownControl({ media }: { media: Media }) {
  const takedown = useTakedown(media._id)
  const [opened, setOpened] = useState(false)
  const asked = useLatch(opened)
  const isDown = media.takenDownAt !== undefined
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {isDown ? texts.releaseMedia : texts.takeDown}
      </Button>
      {asked && (
        <ReasonDialog
          route={isDown ? quarantineRoutes.releaseMedia : quarantineRoutes.quarantineMedia}
          opened={opened}
          onClose={() => setOpened(false)}
          title={isDown ? texts.releaseQuestion : texts.takeDownQuestion}
          confirmLabel={isDown ? texts.release : texts.takeDown}
          destructive={!isDown}
          onConfirm={(reason) => takedown.mutateAsync({ down: !isDown, reason })}
        >
          {isDown ? texts.releaseEffect : texts.takeDownEffect}
        </ReasonDialog>
      )}
    </>
  )
}
