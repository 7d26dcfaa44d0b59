import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { UnreadBadge } from '../../features/messaging/parts/badge/UnreadBadge.tsx'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { sectionsTexts } from '../shell/texts.ts'
import styles from './CreatorLayout.module.css'
import { creatorSections, currentIn } from './creator-sections.ts'

/** A creator's pages with the way between them: beside the page on a desk, below it on a phone. */
export function CreatorLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const hasForum = useConfig()?.forum.available ?? false
  const sections = creatorSections.filter(({ to }) => hasForum || to !== paths.promotion)
  return (
    <div className={styles.layout}>
      <nav className={styles.sections} aria-label={sectionsTexts.label}>
        {sections.map((section) => (
          <Link
            key={section.to}
            to={section.to}
            aria-current={currentIn(section, pathname)}
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
        ))}
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  )
}
