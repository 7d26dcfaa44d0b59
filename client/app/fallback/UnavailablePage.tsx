import { IconTool } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { fallbackTexts } from './texts.ts'

/** A feature that the operator has switched off for now. */
export function Component() {
  return (
    <Page title={fallbackTexts.unavailable}>
      <EmptyState
        Icon={IconTool}
        title={fallbackTexts.unavailableTitle}
        action={<LinkButton to={paths.home}>{fallbackTexts.home}</LinkButton>}
      >
        {fallbackTexts.unavailableHint}
      </EmptyState>
    </Page>
  )
}
