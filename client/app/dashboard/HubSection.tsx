import { Link } from 'react-router'
import styles from './HubSection.module.css'
import type { HubPart } from './hub.ts'

/** One section of the hub: tools with what each is for. */
export function HubSection({ section }: { section: HubPart }) {
  return (
    <section className={styles.section} aria-label={section.title}>
      <h2 className={styles.title}>{section.title}</h2>
      <ul className={styles.list}>
        {section.links.map(({ to, label, about, Icon, Waiting }) => (
          <li key={to}>
            <Link to={to} className={styles.link}>
              <span className={styles.icon} aria-hidden>
                <Icon size={20} stroke={1.5} />
              </span>
              <span className={styles.words}>
                <span className={styles.label}>{label}</span>
                <span className={styles.about}>{about}</span>
              </span>
              {Waiting && <Waiting />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
