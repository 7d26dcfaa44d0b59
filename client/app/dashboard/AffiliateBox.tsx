import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './AffiliateBox.module.css'

/** The affiliate promotion with the person's own referral link (docs/product.md, Pages and Limits). */
export function AffiliateBox({ person }: { person: Person }) {
  const link = `${window.location.origin}${paths.profile(person.username)}?ref=${encodeURIComponent(person.referralCode)}`
  return (
    <section className={styles.box} aria-labelledby="affiliate">
      <div className={styles.inside}>
        <div>
          <h2 id="affiliate" className={styles.title}>
            Bring people, earn 7%
          </h2>
          <p className={styles.text}>
            Whoever signs up through your link earns you a commission on what they buy or sell.{' '}
            <TextLink to={paths.affiliates}>How it is counted</TextLink>
          </p>
        </div>
        <CopyField label="Your referral link" value={link} />
      </div>
    </section>
  )
}
