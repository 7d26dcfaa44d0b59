import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { useVisitor } from '../../features/gate/visitor.tsx'
import { paths } from '../../lib/paths.ts'
import { isAdmitted, useSession } from '../../lib/session.tsx'
import { wouldLose } from '../../lib/unsaved.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { lazyExtra, lazyPart } from '../../ui/lazy-part.tsx'
import { useLogOut, useNavigationLinks } from './navigation.ts'
import styles from './TopBar.module.css'
import { navigationTexts } from './texts.ts'

const MobileMenu = lazyPart(() => import('./MobileMenu.tsx').then((module) => module.default))
// Visitors have no messages.
const SignedIn = lazyExtra(() => import('./SignedIn.tsx').then((module) => module.default))
const UnreadBadge = lazyExtra(() =>
  import('../../features/messaging/parts/badge/UnreadBadge.tsx').then((module) => module.UnreadBadge),
)
const MessagesLink = lazyExtra(() =>
  import('../../features/messaging/parts/badge/MessagesLink.tsx').then((module) => module.MessagesLink),
)
const Bell = lazyExtra(() =>
  import('../../features/notifications/parts/bell/Bell.tsx').then((module) => module.Bell),
)
const LogOutQuestion = lazyPart(() => import('./LogOutQuestion.tsx').then((module) => module.default))

/** The bar at the top of every page (docs/product.md, Pages). */
export function TopBar() {
  const { currentUser, unreachable } = useSession()
  const { browse, account } = useNavigationLinks()
  const logOut = useLogOut()
  const { isRestrictedState } = useVisitor()
  const admitted = isAdmitted(currentUser) && !isRestrictedState
  const { pathname } = useLocation()
  const inMessages = pathname.startsWith(paths.chat('').slice(0, -1))
  const live = useLive(admitted, inMessages)
  const [question, setQuestion] = useState<'never' | 'asked' | 'answered'>('never')
  /** How often the menu was opened; its code comes the first time. */
  const [opened, setOpened] = useState(0)
  const onLogOut = () => (wouldLose() ? setQuestion('asked') : void logOut())
  return (
    <header className={styles.bar}>
      <div className={styles.inside}>
        <Link to={paths.home} className={styles.home}>
          <Logo />
        </Link>

        <nav className={styles.wide} aria-label={navigationTexts.main}>
          {browse.map(({ to, label }) => (
            <NavLink key={to} to={to} className={styles.link ?? ''}>
              {label}
            </NavLink>
          ))}
          <span className={styles.space} />
          {!isRestrictedState && <SearchLink />}
          {admitted && (
            <span className={styles.icon}>
              <Bell opens="panel" />
            </span>
          )}
          {account.map(({ to, label, main, unread }) =>
            main ? (
              <LinkButton key={to} to={to} size="sm" variant="default">
                {label}
              </LinkButton>
            ) : (
              <Link
                key={to}
                to={to}
                className={styles.link}
                aria-current={pathname === to ? 'page' : unread && inMessages ? 'true' : undefined}
              >
                {currentUser?.username === label && (
                  <Avatar src={currentUser.profileImage} name={label} size={26} />
                )}
                <span className={styles.name}>{label}</span>
                {unread && <UnreadBadge />}
              </Link>
            ),
          )}
          {currentUser && (
            <button type="button" className={styles.link} onClick={onLogOut}>
              {navigationTexts.logOut}
            </button>
          )}
        </nav>

        <div className={styles.narrow}>
          {admitted && (
            <>
              {currentUser?.isCreator && (
                <span className={styles.icon}>
                  <MessagesLink label={navigationTexts.messages} />
                </span>
              )}
              <span className={styles.icon}>
                <Bell opens="page" />
              </span>
            </>
          )}
          {!isRestrictedState && <SearchLink />}
          {!currentUser && !unreachable && (
            <LinkButton to={paths.signup} size="sm" variant="default">
              {navigationTexts.signUp}
            </LinkButton>
          )}
          <button
            type="button"
            className={styles.icon}
            aria-label={navigationTexts.menu}
            onClick={() => setOpened(opened + 1)}
          >
            <IconMenu2 size={24} stroke={1.5} aria-hidden />
          </button>
        </div>
      </div>
      {live && <SignedIn />}
      {opened > 0 && <MobileMenu opened={opened} onLogOut={onLogOut} />}
      {question !== 'never' && (
        <LogOutQuestion opened={question === 'asked'} onClose={() => setQuestion('answered')} />
      )}
    </header>
  )
}

/** How long a page without messages has the network to itself before the tab connects, in milliseconds. */
const LIVE_AFTER_MS = 5_000

/** Whether the tab receives message events yet. */
function useLive(admitted: boolean, inSight: boolean): boolean {
  const [stood, setStood] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStood(true), inSight ? 0 : LIVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [inSight])
  return admitted && (stood || inSight)
}

/** To the search, whose field then waits for words. */
function SearchLink() {
  return (
    <Link to={paths.search} className={styles.icon} aria-label={navigationTexts.search}>
      <IconSearch size={22} stroke={1.5} aria-hidden />
    </Link>
  )
}
