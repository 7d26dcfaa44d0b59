import { IconMapOff } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

/** An address that does not exist. */
export function Component() {
  return (
    <Page title={pageTexts.notFound}>
      <EmptyState
        Icon={IconMapOff}
        title={pageTexts.notFoundTitle}
        action={
          <>
            <LinkButton to={paths.home}>{pageTexts.home}</LinkButton>
            <LinkButton to={paths.discover} variant="default">
              {pageTexts.browse}
            </LinkButton>
          </>
        }
      >
        {pageTexts.notFoundHint}
      </EmptyState>
    </Page>
  )
}
