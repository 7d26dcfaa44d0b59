import type { ReactNode, Ref } from 'react'
import { useBrandName } from '../lib/config.ts'
import styles from './Page.module.css'

/** The browser's title of a page, with the brand behind it. */
export function PageTitle({ children }: { children: string }) {
  const brand = useBrandName()
  return <title>{children === brand ? brand : `${children} · ${brand}`}</title>
}

type PageProps = {
  title: string
  /** One sentence under the title: what this page is for. */
  lead?: ReactNode
  /** The one main action, beside the title. */
  action?: ReactNode
  /** A `BackLink` to the page that this one belongs to. */
  back?: ReactNode
  /** `page` for grids and hubs, `text` for lists and settings; alone in the middle: `reading` for long texts, `form` for a single form. */
  width?: 'page' | 'text' | 'reading' | 'form'
  children: ReactNode
}

/** A page with its heading; every page but the landing page starts with one. */
export function Page({ title, lead, action, back, width = 'page', children }: PageProps) {
  return (
    <div className={styles.page} data-width={width}>
      <PageTitle>{title}</PageTitle>
      {back}
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {action && <div className={styles.action}>{action}</div>}
      </header>
      {children}
    </div>
  )
}

/** A titled part of a page; with a `ref` it can be given the focus. */
export function Section({
  title,
  action,
  ref,
  children,
}: {
  title: string
  action?: ReactNode
  ref?: Ref<HTMLElement>
  children: ReactNode
}) {
  return (
    <section ref={ref} tabIndex={ref ? -1 : undefined} className={styles.section} aria-label={title}>
      <header className={styles.sectionHeader}>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}
