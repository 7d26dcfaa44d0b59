import { IconRefresh } from '@tabler/icons-react'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { brokenTexts } from '../shell/texts.ts'

/** A page that broke, or whose code could not be fetched, most often because a newer version is out. */
export function PageError() {
  return (
    <Page title={brokenTexts.title}>
      <EmptyState
        Icon={IconRefresh}
        title={brokenTexts.what}
        action={<Button onClick={() => window.location.reload()}>{brokenTexts.reload}</Button>}
      >
        {brokenTexts.hint}
      </EmptyState>
    </Page>
  )
}
