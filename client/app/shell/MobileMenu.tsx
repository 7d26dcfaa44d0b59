import { IconX } from '@tabler/icons-react'
import { type RefObject, useEffect } from 'react'
import { NavLink, useLocation } from 'react-router'
import { useSession } from '../../lib/session.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { SchemeSwitch } from '../../ui/theme/SchemeSwitch.tsx'
import styles from './MobileMenu.module.css'
import { useNavigationLinks } from './navigation.ts'
import { navigationTexts } from './texts.ts'

/** The links of the top bar on a phone: the browser's own dialog, which keeps the focus and closes with Escape. */
export function MobileMenu({
  dialog,
  onLogOut,
}: {
  dialog: RefObject<HTMLDialogElement | null>
  onLogOut: () => void
}) {
  const { currentUser } = useSession()
  const { browse, account } = useNavigationLinks()
  const { key } = useLocation()
  const close = () => dialog.current?.close()

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu, a tap on its own page too.
  useEffect(() => dialog.current?.close(), [key, dialog])

  return (
    <dialog ref={dialog} className={styles.menu} aria-label={navigationTexts.menu}>
      <div className={styles.top}>
        <Logo />
        <button type="button" className={styles.close} aria-label={navigationTexts.closeMenu} onClick={close}>
          <IconX size={24} stroke={1.5} aria-hidden />
        </button>
      </div>
      <nav className={styles.links} aria-label={navigationTexts.menu}>
        {[...browse, ...account].map(({ to, label }) => (
          <NavLink key={to} to={to} end className={styles.link ?? ''}>
            {label}
          </NavLink>
        ))}
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
