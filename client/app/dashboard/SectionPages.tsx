import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { type CreatorSection, isPageAt } from './creator-sections.ts'
import styles from './SectionPages.module.css'

type SectionPagesProps = { section: CreatorSection; look: 'strip' | 'list' }

/** The pages of the place that the creator is in: below its link on a desk, above the page on a phone. */
export function SectionPages({ section, look }: SectionPagesProps) {
  const { pathname } = useLocation()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has another link that is to be in sight.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !current) return
    // Only the strip moves, never the page.
    list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.clientWidth) / 2
  }, [pathname])
  return (
    <div ref={list} className={styles[look]}>
      {section.pages.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          aria-current={isPageAt(page, pathname) ? 'page' : undefined}
          className={styles.page}
        >
          {page.label}
        </Link>
      ))}
    </div>
  )
}
