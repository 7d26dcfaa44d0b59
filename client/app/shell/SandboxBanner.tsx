import { useConfig } from '../../lib/config.ts'
import styles from './SandboxBanner.module.css'
import { noticeTexts } from './texts.ts'

/** Says that nothing here is real while outside services are sandboxes, and leads to them (docs/product.md, Sandbox and sample data). */
export function SandboxBanner() {
  const sandbox = useConfig()?.sandbox
  if (!sandbox) return null
  return (
    <aside className={styles.banner} aria-label={noticeTexts.sandbox}>
      <p>
        <strong>{noticeTexts.sandboxName}</strong> {noticeTexts.sandboxAbout}
      </p>
      <p className={styles.links}>
        <a href={sandbox.mail}>{noticeTexts.mailbox}</a>
        <a href={sandbox.payments}>{noticeTexts.cards}</a>
        {sandbox.age && <a href={sandbox.age}>{noticeTexts.ageCheck}</a>}
        {sandbox.forum && <a href={sandbox.forum}>{noticeTexts.forum}</a>}
      </p>
    </aside>
  )
}
