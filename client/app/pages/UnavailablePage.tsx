import { IconTool } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** A feature that the operator has switched off for now. */
export function Component() {
  return (
    <Page title="Temporarily unavailable">
      <EmptyState
        Icon={IconTool}
        title="This feature is switched off for the moment"
        action={<LinkButton to={paths.home}>Go to the home page</LinkButton>}
      >
        It will be back. Nothing you have bought or made is affected.
      </EmptyState>
    </Page>
  )
}
