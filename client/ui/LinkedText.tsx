import { piecesOf } from './linked-text.ts'
import styles from './TextLink.module.css'

/**
 * A person's text, with its addresses as links that lead away from this site and don't learn where they were clicked.
 */
export function LinkedText({ children }: { children: string }) {
  return piecesOf(children).map(({ text, at, href }) =>
    href === null ? (
      text
    ) : (
      <a key={at} className={styles.link} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
        {text}
      </a>
    ),
  )
}
