import { IconTool } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

/** A feature that the operator has switched off for now. */
export function Component() {
  return (
    <Page title={pageTexts.unavailable}>
      <EmptyState
        Icon={IconTool}
        title={pageTexts.unavailableTitle}
        action={<LinkButton to={paths.home}>{pageTexts.home}</LinkButton>}
      >
        {pageTexts.unavailableHint}
      </EmptyState>
    </Page>
  )
}
