import { IconExternalLink } from '@tabler/icons-react'
import styles from './ProfileLinks.module.css'
import { linksTexts } from './texts.ts'

/** Links that a creator put on their profile. They lead away from this site and learn nothing of where they were clicked. */
export function ProfileLinks({ links }: { links: readonly { _id: string; text: string; link: string }[] }) {
  if (links.length === 0) return null
  return (
    <ul className={styles.links} aria-label={linksTexts.label}>
      {links.map(({ _id, text, link }) => (
        <li key={_id}>
          <a className={styles.link} href={link} target="_blank" rel="noopener noreferrer nofollow ugc">
            {text}
            <IconExternalLink size={15} stroke={1.75} aria-hidden />
          </a>
        </li>
      ))}
    </ul>
  )
}
