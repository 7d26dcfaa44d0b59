import { IconMapOff } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { fallbackTexts } from './texts.ts'

/** An address that does not exist. */
export function Component() {
  return (
    <Page title={fallbackTexts.notFound}>
      <EmptyState
        Icon={IconMapOff}
        title={fallbackTexts.notFoundTitle}
        action={
          <>
            <LinkButton to={paths.home}>{fallbackTexts.home}</LinkButton>
            <LinkButton to={paths.discover} variant="default">
              {fallbackTexts.browse}
            </LinkButton>
          </>
        }
      >
        {fallbackTexts.notFoundHint}
      </EmptyState>
    </Page>
  )
}
