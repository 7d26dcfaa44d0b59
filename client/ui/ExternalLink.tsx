import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './ExternalLink.module.css'

type ExternalLinkProps = {
  to: string
  /** The accessible name, if the text alone doesn’t say where it leads. */
  label?: string
  children: ReactNode
}

/** A link to another site, in a tab of its own. */
export function ExternalLink({ to, label, children }: ExternalLinkProps) {
  return (
    <a className={styles.link} href={to} target="_blank" rel="noreferrer" aria-label={label}>
      {children}
      <IconExternalLink size={16} stroke={1.75} aria-hidden />
    </a>
  )
}
