import { Fragment, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { UnreadBadge } from '../../features/messaging/parts/badge/UnreadBadge.tsx'
import { paths } from '../../lib/paths.ts'
import { useIsWide } from '../../ui/use-is-wide.ts'
import styles from './CreatorLayout.module.css'
import { type CreatorSection, currentIn } from './creator-sections.ts'
import { SectionPages } from './SectionPages.tsx'
import { sectionsTexts } from './section-texts.ts'

type CreatorLayoutProps = {
  sections: readonly CreatorSection[]
  /** People whose bar on a phone is a fan's (shell/FanBar). */
  asFan: boolean
  children: ReactNode
}

/** A creator's or an operator's pages with the way between them: beside the page on a desk, below it on a phone. */
export function CreatorLayout({ sections, asFan, children }: CreatorLayoutProps) {
  const { pathname } = useLocation()
  // As in CreatorLayout.module.css.
  const isDesk = useIsWide('75em')
  const open = sections.find((section) => currentIn(section, pathname) && section.pages.length > 0)
  return (
    <div className={styles.layout} data-as-fan={asFan || undefined}>
      <nav className={styles.sections} aria-label={sectionsTexts.label}>
        {sections.map((section) => (
          <Fragment key={section.to}>
            <Link
              to={section.to}
              aria-current={currentIn(section, pathname)}
              data-admin={section.label === sectionsTexts.admin || undefined}
              className={styles.section}
            >
              <section.Icon size={22} stroke={1.5} />
              <span>{section.label}</span>
              {section.to === paths.chats && (
                <span className={styles.badge}>
                  <UnreadBadge />
                </span>
              )}
            </Link>
            {isDesk && section === open && <SectionPages section={section} look="list" />}
          </Fragment>
        ))}
      </nav>
      <div className={styles.page}>
        {!isDesk && open && (
          <nav className={styles.pages} aria-label={open.label}>
            <SectionPages section={open} look="strip" />
          </nav>
        )}
        {children}
      </div>
    </div>
  )
}
