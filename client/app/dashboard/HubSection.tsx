import { IconChevronDown } from '@tabler/icons-react'
import { Link } from 'react-router'
import styles from './HubSection.module.css'
import type { HubPart } from './hub.ts'

/** One section of the hub, behind its title: tools with what each is for; `open` says how it starts. */
export function HubSection({ section, open }: { section: HubPart; open: boolean }) {
  return (
    <section className={styles.section} aria-label={section.title}>
      <details open={open}>
        <summary className={styles.summary}>
          <h2 className={styles.title}>{section.title}</h2>
          <IconChevronDown size={20} stroke={1.5} className={styles.mark} aria-hidden />
        </summary>
        <ul className={styles.list}>
          {section.links.map(({ to, label, about, Icon }) => (
            <li key={to}>
              <Link to={to} className={styles.link}>
                <span className={styles.icon} aria-hidden>
                  <Icon size={20} stroke={1.5} />
                </span>
                <span className={styles.words}>
                  <span className={styles.label}>{label}</span>
                  <span className={styles.about}>{about}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
