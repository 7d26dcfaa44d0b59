import { IconPhotoPlus, IconSearchOff } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { texts } from './texts.ts'

/** In place of the library's items: it is empty, or nothing in it matches. */
export function NothingHere({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      Icon={IconSearchOff}
      title={texts.nothingMatches}
      action={
        <Button variant="default" onClick={onClear}>
          {texts.clearAll}
        </Button>
      }
    >
      {texts.nothingMatchesHint}
    </EmptyState>
  ) : (
    <EmptyState
      Icon={IconPhotoPlus}
      title={texts.emptyTitle}
      action={<LinkButton to={paths.uploadBulk}>{texts.upload}</LinkButton>}
    >
      {texts.emptyLibrary}
    </EmptyState>
  )
}
