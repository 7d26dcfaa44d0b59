import { Link } from 'react-router'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import { SchemeSwitch } from '../../ui/theme/SchemeSwitch.tsx'
import styles from './Footer.module.css'

const LINKS = [
  { to: paths.affiliates, label: 'Affiliates' },
  { to: paths.removal, label: 'Content Removal' },
  { to: paths.complaints, label: 'Complaints' },
  { to: paths.recordKeeping, label: '2257' },
  { to: paths.privacy, label: 'Privacy Policy' },
  { to: paths.refundPolicy, label: 'Refund Policy' },
  { to: paths.cancellationPolicy, label: 'Cancellation Policy' },
  { to: paths.termsAndConditions, label: 'Terms and Conditions' },
  { to: paths.antiTrafficking, label: 'Anti-Trafficking' },
  { to: paths.contentModeration, label: 'Content Moderation' },
  { to: paths.terms, label: 'Terms' },
  { to: paths.contact, label: 'Contact' },
]

/** The end of every page (docs/product.md, Pages). */
export function Footer() {
  const operator = useConfig()?.brand.operator
  return (
    <footer className={styles.footer}>
      <div className={styles.inside}>
        <div className={styles.brand}>
          <Logo />
          <SchemeSwitch />
        </div>
        <nav className={styles.links} aria-label="Policies and contact">
          {LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={styles.link}>
              {label}
            </Link>
          ))}
        </nav>
        <p className={styles.small}>
          {operator ? `${operator} · ` : ''}For adults only. Everyone shown is 18 or older.
        </p>
      </div>
    </footer>
  )
}
