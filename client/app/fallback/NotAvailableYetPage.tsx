import { IconHourglass } from '@tabler/icons-react'
import { useMatches } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import type { PageRoute } from '../page-route.ts'
import { aboutTexts, fallbackTexts } from './texts.ts'

/** A page that has its place but not its content yet: says what will be here and where to go meanwhile. */
export function Component() {
  const { loggedIn } = useSession()
  const route = useMatches().at(-1)?.handle as PageRoute | undefined
  return (
    <Page title={route?.title ?? fallbackTexts.notYet} lead={route && aboutTexts[route.path]}>
      <EmptyState
        Icon={IconHourglass}
        title={fallbackTexts.notYet}
        action={
          <>
            <LinkButton to={paths.discover} variant="default">
              {fallbackTexts.browse}
            </LinkButton>
            <LinkButton to={loggedIn ? paths.dashboard : paths.home} variant="default">
              {loggedIn ? fallbackTexts.dashboard : fallbackTexts.home}
            </LinkButton>
          </>
        }
      >
        {fallbackTexts.notYetHint}
      </EmptyState>
    </Page>
  )
}
