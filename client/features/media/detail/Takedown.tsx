import { useState } from 'react'
import { quarantineRoutes } from '../../../../contract/routes/media/quarantine.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import type { Media } from '../api.ts'
import { useReleaseMedia } from '../parts/takedown/api.ts'
import { detailTexts as texts } from './texts.ts'

const ReasonDialog = lazyPart(() =>
  import('../../../ui/ReasonDialog.tsx').then((module) => module.ReasonDialog),
)
const TakedownDialog = lazyPart(() =>
  import('../parts/takedown/TakedownDialog.tsx').then((module) => module.TakedownDialog),
)

/** The operator takes an item down, changes why it is, or releases it, with a reason for the audit log. */
export function TakedownControl({ media }: { media: Media }) {
  const [opened, setOpened] = useState<'takedown' | 'release' | null>(null)
  const hasDecided = useLatch(opened === 'takedown')
  const hasReleased = useLatch(opened === 'release')
  const isDown = media.takenDownAt !== undefined
  const dialog = { mediaId: media._id, onClose: () => setOpened(null) }
  return (
    <>
      <Button variant="default" onClick={() => setOpened('takedown')}>
        {isDown ? texts.changeReason : texts.takeDown}
      </Button>
      {isDown && (
        <Button variant="default" onClick={() => setOpened('release')}>
          {texts.releaseMedia}
        </Button>
      )}
      {hasDecided && <TakedownDialog {...dialog} opened={opened === 'takedown'} />}
      {hasReleased && <Releasing {...dialog} opened={opened === 'release'} />}
    </>
  )
}

function Releasing({ mediaId, ...dialog }: { mediaId: string; opened: boolean; onClose: () => void }) {
  const release = useReleaseMedia(mediaId)
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
