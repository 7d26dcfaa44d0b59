import { type ComponentType, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../lib/paths.ts'
import { afterLogin } from '../lib/redirect.ts'
import { may, type Person, useSession } from '../lib/session.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Page } from '../ui/Page.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { toast } from '../ui/toast.ts'
import { guardTexts } from './guard-texts.ts'
import type { Guard } from './page-route.ts'

// Few are ever in their place, so they come when they are.
const UnverifiedNotice = lazyPart(() =>
  import('../features/identity/UnverifiedNotice.tsx').then((module) => module.UnverifiedNotice),
)
const SecondFactorNotice = lazyPart(() =>
  import('../features/identity/SecondFactorNotice.tsx').then((module) => module.SecondFactorNotice),
)

type GuardedPageProps = { guard: Guard; title: string; Inside: ComponentType }

/** Shows the page to those it is for, and everybody else what they should see instead (docs/product.md, Pages). */
export function GuardedPage({ guard, title, Inside }: GuardedPageProps) {
  const { currentUser, unreachable } = useSession()
  if (guard.who === 'visitor') return currentUser ? <BackAfterLogin /> : <Inside />
  // A login form wouldn't help somebody who is logged in: the notice above offers to try again.
  if (unreachable) return null
  if (!currentUser) return <SentAway to={guard.to} keepPath={guard.keepPath ?? false} title={title} />
  if (currentUser.verifiedEmail !== 'verified' && !guard.unverified)
    return <UnverifiedNotice person={currentUser} />
  if (currentUser.secondFactor === 'required' && !guard.withoutSecondFactor) return <SecondFactorNotice />
  if (!mayEnter(guard.who, currentUser)) return <NoAccess />
  return <Inside />
}

function mayEnter(who: Exclude<Guard['who'], 'visitor'>, person: Person): boolean {
  if (who === 'user') return true
  if (who === 'creatorOnly') return person.isCreator
  // People who may edit everybody's media have access to every page on which that is done.
  if (who === 'creator') return person.isCreator || may(person, 'media.editAll')
  return who.anyOf.some((permission) => may(person, permission))
}

function SentAway({ to, keepPath, title }: { to: string; keepPath: boolean; title: string }) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (keepPath) afterLogin.save(pathname + search)
    void navigate(to, { replace: true })
    // The login says by itself why one is there.
    if (to !== paths.home) return
    toast.offer(guardTexts.logInFirst(title), {
      label: guardTexts.logIn,
      onAct: () => {
        afterLogin.save(pathname + search)
        void navigate(paths.login)
      },
    })
  }, [navigate, to, keepPath, title, pathname, search])
  return null
}

/** After logging in: to where the person wanted to go, or else to the dashboard (docs/product.md, Pages). */
function BackAfterLogin() {
  const navigate = useNavigate()
  const [target] = useState(() => afterLogin.saved() ?? paths.dashboard)
  useEffect(() => {
    afterLogin.clear()
    void navigate(target, { replace: true })
  }, [navigate, target])
  return null
}

function NoAccess() {
  const mistake = (
    <>
      {guardTexts.mistake} <TextLink to={paths.contact}>{guardTexts.contact}</TextLink>.
    </>
  )
  return (
    <Page title={guardTexts.noAccess} lead={mistake}>
      <LinkButton to={paths.dashboard}>{guardTexts.dashboard}</LinkButton>
    </Page>
  )
}
