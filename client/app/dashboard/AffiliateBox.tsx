import { referralLink } from '../../features/affiliates/parts/referral-link.ts'
import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './AffiliateBox.module.css'
import { affiliateTexts } from './texts.ts'

/** The affiliate promotion with the person's own referral link (docs/product.md, Pages and Limits). */
export function AffiliateBox({ person }: { person: Person }) {
  return (
    <section className={styles.box} aria-labelledby="affiliate">
      <div className={styles.inside}>
        <div>
          <h2 id="affiliate" className={styles.title}>
            {affiliateTexts.title}
          </h2>
          <p className={styles.text}>
            {affiliateTexts.about} <TextLink to={paths.affiliates}>{affiliateTexts.how}</TextLink>
            {' · '}
            <TextLink to={paths.sharedReferrals}>{affiliateTexts.earned}</TextLink>
          </p>
        </div>
        <CopyField label={affiliateTexts.link} value={referralLink(person)} />
      </div>
    </section>
  )
}
