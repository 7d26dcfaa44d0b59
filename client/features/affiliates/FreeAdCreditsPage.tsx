import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'
import { adCreditsTexts } from './texts.ts'

/** The offer of ad credits for early supporters (docs/product.md, Limits). */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page title={adCreditsTexts.title} lead={adCreditsTexts.lead(brand)} width="text">
      <p className={styles.offer}>
        <span className={styles.amount}>{adCreditsTexts.amount}</span>
        <span className={styles.per}>{adCreditsTexts.per}</span>
      </p>
      <div className={styles.text}>
        <p>
          We’re preparing an ad program that shows your profile to people looking for what you make. It hasn’t
          launched yet. You can use your credits from day one.
        </p>
        <p>
          <strong>Include your forum username.</strong> That’s how we know which account gets the credits. A
          tip sent from your account here carries the one you signed up with.
        </p>
        <p>
          $1 gets you $50 in credits, $10 gets you $500. Credits are for ads on this site. They can’t be paid
          out, sold, or transferred, and what you send isn’t refundable; see our{' '}
          <TextLink to={paths.refundPolicy}>refund policy</TextLink>.
        </p>
        <p>Send it as a tip on the donate page. To credit another forum username, write to us.</p>
        <div className={styles.actions}>
          <LinkButton to={paths.donate}>{adCreditsTexts.donate}</LinkButton>
          <LinkButton to={paths.contact} variant="default">
            {adCreditsTexts.ask}
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
