import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { Page } from '../../ui/Page.tsx'
import { welcomeTexts as texts } from './texts.ts'

const OwnHome = lazyPart(
  () => import('./OwnHome.tsx').then((module) => module.OwnHome),
  <MediaGridSkeleton ratio={1} />,
)

/** In place of why to come: what somebody who is logged in comes for. */
export function WelcomeBack({ person }: { person: Person }) {
  return (
    <Page
      title={texts.title(person.firstName)}
      action={<LinkButton to={paths.dashboard}>{texts.dashboard}</LinkButton>}
    >
      <OwnHome person={person} />
    </Page>
  )
}
