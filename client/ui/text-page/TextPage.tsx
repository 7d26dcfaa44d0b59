import { type ReactNode, useEffect, useState } from 'react'
import { formatDate } from '../format.ts'
import { Page } from '../Page.tsx'
import styles from './TextPage.module.css'
import { textPageTexts } from './texts.tsx'

/** One part of a long text; `id` is its anchor and stays the same when the title is reworded. */
export type TextSection = { id: string; title: string; body: ReactNode }

type TextPageProps = {
  title: string
  lead: ReactNode
  /** The day of the last change, `YYYY-MM-DD`. */
  updated?: string
  /** The text in a few sentences, for those who read no further. */
  summary?: readonly ReactNode[]
  sections: readonly TextSection[]
}

const MIN_SECTIONS_FOR_CONTENTS = 4

/** A long text that is a pleasure to read: short lines, a table of contents that follows, an anchor at every part. */
export function TextPage({ title, lead, updated, summary, sections }: TextPageProps) {
  const withContents = sections.length >= MIN_SECTIONS_FOR_CONTENTS
  return (
    <Page title={title} lead={lead} width="reading">
      <div className={styles.columns}>
        <article className={styles.text}>
          {updated && (
            <p className={styles.updated}>
              {textPageTexts.updated(<time dateTime={updated}>{formatDate(updated)}</time>)}
            </p>
          )}
          {summary && (
            <div className={styles.summary}>
              <h2 className={styles.summaryTitle}>{textPageTexts.summary}</h2>
              <ul className={styles.summaryList}>
                {summary.map((sentence, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the sentences are fixed and never move.
                  <li key={index}>{sentence}</li>
                ))}
              </ul>
            </div>
          )}
          {withContents && (
            <details className={styles.fold}>
              <summary className={styles.foldTitle}>{textPageTexts.onThisPage}</summary>
              <nav aria-label={textPageTexts.onThisPage}>
                <ContentsList sections={sections} current={null} />
              </nav>
            </details>
          )}
          {sections.map(({ id, title: heading, body }) => (
            <section key={id} id={id} className={styles.section} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`} className={styles.heading}>
                {heading}
                <a href={`#${id}`} className={styles.anchor} aria-label={textPageTexts.linkTo(heading)}>
                  #
                </a>
              </h2>
              {body}
            </section>
          ))}
        </article>
        {withContents && <Contents sections={sections} />}
      </div>
    </Page>
  )
}

/** The contents beside the text, marking where the reader is. */
function Contents({ sections }: { sections: readonly TextSection[] }) {
  const current = useSectionInView(sections)
  return (
    <nav className={styles.contents} aria-label={textPageTexts.contents}>
      <p className={styles.contentsTitle}>{textPageTexts.onThisPage}</p>
      <ContentsList sections={sections} current={current} />
    </nav>
  )
}

function ContentsList({ sections, current }: { sections: readonly TextSection[]; current: string | null }) {
  return (
    <ol className={styles.contentsList}>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={styles.contentsLink}
            {...(current === id ? { 'aria-current': 'location' as const } : {})}
          >
            {title}
          </a>
        </li>
      ))}
    </ol>
  )
}

/** The id of the section that is being read: the last one whose beginning has passed the upper part of the window. */
function useSectionInView(sections: readonly TextSection[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const ids = sections.map(({ id }) => id).join(' ')
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find((entry) => entry.isIntersecting)
        if (entered) setCurrent(entered.target.id)
      },
      { rootMargin: '-15% 0px -80% 0px' },
    )
    for (const id of ids.split(' ')) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return current
}
