import { Link } from 'react-router'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import { SchemeSwitch } from '../../ui/theme/SchemeSwitch.tsx'
import styles from './Footer.module.css'
import { footerTexts } from './texts.ts'

const LINKS = [
  { to: paths.affiliates, label: footerTexts.affiliates },
  { to: paths.removal, label: footerTexts.removal },
  { to: paths.complaints, label: footerTexts.complaints },
  { to: paths.recordKeeping, label: footerTexts.recordKeeping },
  { to: paths.privacy, label: footerTexts.privacy },
  { to: paths.refundPolicy, label: footerTexts.refunds },
  { to: paths.cancellationPolicy, label: footerTexts.cancellation },
  { to: paths.termsAndConditions, label: footerTexts.termsAndConditions },
  { to: paths.antiTrafficking, label: footerTexts.antiTrafficking },
  { to: paths.contentModeration, label: footerTexts.moderation },
  { to: paths.terms, label: footerTexts.terms },
  { to: paths.contact, label: footerTexts.contact },
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
        <nav className={styles.links} aria-label={footerTexts.label}>
          {LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={styles.link}>
              {label}
            </Link>
          ))}
        </nav>
        <p className={styles.small}>
          {operator ? `${operator} · ` : ''}
          {footerTexts.adults}
        </p>
      </div>
    </footer>
  )
}
