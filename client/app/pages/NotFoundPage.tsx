import { IconMapOff } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** An address that does not exist. */
export function Component() {
  return (
    <Page title="Page not found">
      <EmptyState
        Icon={IconMapOff}
        title="There is nothing at this address"
        action={
          <>
            <LinkButton to={paths.home}>Go to the home page</LinkButton>
            <LinkButton to={paths.discover} variant="default">
              Browse All Content
            </LinkButton>
          </>
        }
      >
        The link may be old, or a letter may be missing from it.
      </EmptyState>
    </Page>
  )
}
