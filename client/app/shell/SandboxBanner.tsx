import { useConfig } from '../../lib/config.ts'
import styles from './SandboxBanner.module.css'

/** Says that nothing here is real while outside services are sandboxes, and leads to them (docs/product.md, Sandbox and sample data). */
export function SandboxBanner() {
  const sandbox = useConfig()?.sandbox
  if (!sandbox) return null
  return (
    <aside className={styles.banner} aria-label="Sandbox">
      <p>
        <strong>Sandbox.</strong> No real cards, no real mail.
      </p>
      <p className={styles.links}>
        <a href={sandbox.mail}>Mailbox</a>
        <a href={sandbox.payments}>Test cards</a>
        {sandbox.age && <a href={sandbox.age}>Age check</a>}
      </p>
    </aside>
  )
}
