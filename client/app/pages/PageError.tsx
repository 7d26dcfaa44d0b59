import { IconRefresh } from '@tabler/icons-react'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'

/** A page that broke, or whose code could not be fetched, most often because a newer version is out. */
export function PageError() {
  return (
    <Page title="This page could not be shown">
      <EmptyState
        Icon={IconRefresh}
        title="Something went wrong while opening this page"
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      >
        Your connection may have dropped, or a newer version may be out. Nothing was lost.
      </EmptyState>
    </Page>
  )
}
