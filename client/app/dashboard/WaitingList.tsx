import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../../ui/Card.tsx'
import styles from './WaitingList.module.css'
import { type WaitingThing, waitingPaths } from './waiting.ts'
import { waitingTexts as texts } from './waiting-texts.ts'

/** The person's open tasks, each with its due date and a link; `unread` conversations come last. */
export function WaitingList({
  title,
  things,
  unread,
}: {
  title: string
  things: WaitingThing[]
  unread?: { count: number; to: string }
}) {
  return (
    <Card>
      <section aria-label={title}>
        <h2 className={styles.title}>{title}</h2>
        <ul className={styles.list}>
          {things.map((thing) => (
            <Row key={thing.kind} to={waitingPaths[thing.kind]} note={texts.note[thing.kind](thing)}>
              {texts.what[thing.kind](thing)}
            </Row>
          ))}
          {unread && unread.count > 0 && (
            <Row to={unread.to} note={texts.unreadNote}>
              {texts.unread(unread.count)}
            </Row>
          )}
        </ul>
      </section>
    </Card>
  )
}

function Row({ to, note, children }: { to: string; note: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.words}>
          <span className={styles.what}>{children}</span>
          <span className={styles.note}>{note}</span>
        </span>
        <IconArrowRight size={18} stroke={1.5} className={styles.arrow} aria-hidden />
      </Link>
    </li>
  )
}
