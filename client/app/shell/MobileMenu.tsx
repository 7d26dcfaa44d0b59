import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { NavLink } from 'react-router'
import { UnreadBadge } from '../../features/messaging/parts/badge/UnreadBadge.tsx'
import { paths } from '../../lib/paths.ts'
import { isAdmitted, useSession } from '../../lib/session.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { registerDialog } from '../../ui/open-dialogs.ts'
import { SchemeSwitch } from '../../ui/theme/SchemeSwitch.tsx'
import styles from './MobileMenu.module.css'
import { menuTexts } from './menu-texts.ts'
import { useNavigationLinks, useOpenLinks } from './navigation.ts'
import { navigationTexts } from './texts.ts'

/** Links for logged-in people that don't fit into the top bar of a desktop either. */
const OWN = [
  { to: paths.notifications, label: menuTexts.notifications },
  { to: paths.billing, label: menuTexts.billing },
  { to: paths.following, label: menuTexts.following },
  { to: paths.editProfile, label: menuTexts.editProfile },
  { to: paths.security, label: menuTexts.security },
]

/** The links of the top bar on a phone, and those of one's account: the browser's own dialog, which keeps the focus and closes with Escape, or Back. */
export default function MobileMenu({ opened, onLogOut }: { opened: number; onLogOut: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { currentUser } = useSession()
  const { browse, account } = useNavigationLinks()
  const own = useOpenLinks()(OWN)
  const close = () => dialog.current?.close()

  useEffect(() => {
    const menu = dialog.current
    // Right away, a tap on its own page too: what asks before the page is left would be behind it.
    const hear = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a')) menu?.close()
    }
    menu?.addEventListener('click', hear)
    return () => menu?.removeEventListener('click', hear)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens each time that it is asked for.
  useEffect(() => {
    const menu = dialog.current
    menu?.showModal()
    // At once: its event comes later, and another Back may come before.
    const unregister = registerDialog(() => {
      unregister()
      menu?.close()
    })
    menu?.addEventListener('close', unregister, { once: true })
    return unregister
  }, [opened])

  return (
    <dialog ref={dialog} className={styles.menu} aria-label={navigationTexts.menu}>
      <div className={styles.top}>
        <Logo />
        <button type="button" className={styles.close} aria-label={navigationTexts.closeMenu} onClick={close}>
          <IconX size={24} stroke={1.5} aria-hidden />
        </button>
      </div>
      <nav className={styles.links} aria-label={navigationTexts.menu}>
        {[...browse, ...account].map(({ to, label, unread }) => (
          <NavLink key={to} to={to} end className={styles.link ?? ''}>
            <span className={styles.label}>
              {currentUser?.username === label && (
                <Avatar src={currentUser.profileImage} name={label} size={32} />
              )}
              {label}
            </span>
            {unread && <UnreadBadge />}
          </NavLink>
        ))}
        {isAdmitted(currentUser) && (
          <ul className={styles.own} aria-label={menuTexts.account}>
            {own.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} end className={styles.small ?? ''}>
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        )}
        {currentUser && (
          <button
            type="button"
            className={styles.link}
            onClick={() => {
              close()
              onLogOut()
            }}
          >
            {navigationTexts.logOut}
          </button>
        )}
      </nav>
      <SchemeSwitch />
    </dialog>
  )
}
