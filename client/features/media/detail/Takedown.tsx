import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { quarantineRoutes } from '../../../../contract/routes/media/quarantine.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import type { Media } from '../api.ts'
import { takedownChanges } from '../parts/takedown/changes.ts'
import { detailTexts as texts } from './texts.ts'

const ReasonDialog = lazyPart(() =>
  import('../../../ui/ReasonDialog.tsx').then((module) => module.ReasonDialog),
)
const TakedownDialog = lazyPart(() =>
  import('../parts/takedown/TakedownDialog.tsx').then((module) => module.TakedownDialog),
)

/** The operator takes an item down, or releases it, with a reason for the audit log. */
export function TakedownControl({ media }: { media: Media }) {
  const [opened, setOpened] = useState(false)
  const asked = useLatch(opened)
  const isDown = media.takenDownAt !== undefined
  const dialog = { opened, onClose: () => setOpened(false) }
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {isDown ? texts.releaseMedia : texts.takeDown}
      </Button>
      {asked &&
        (isDown ? (
          <Releasing mediaId={media._id} {...dialog} />
        ) : (
          <TakedownDialog mediaId={media._id} {...dialog} />
        ))}
    </>
  )
}

function Releasing({ mediaId, ...dialog }: { mediaId: string; opened: boolean; onClose: () => void }) {
  const release = useMutation({
    mutationFn: (reason: string) => call(routes.releaseMedia, { body: { mediaId, reason } }),
    meta: takedownChanges,
  })
  return (
    <ReasonDialog
      {...dialog}
      route={quarantineRoutes.releaseMedia}
      title={texts.releaseQuestion}
      confirmLabel={texts.release}
      onConfirm={release.mutateAsync}
    >
      {texts.releaseEffect}
    </ReasonDialog>
  )
}
