import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'

/** The offer of ad credits for early supporters (docs/product.md, Limits). */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page
      title="Free ad credits"
      lead={`Support ${brand} now and get it back many times over when its ads start.`}
      width="text"
    >
      <p className={styles.offer}>
        <span className={styles.amount}>$50</span>
        <span className={styles.per}>of ad credits for every $1 you send</span>
      </p>
      <div className={styles.text}>
        <p>
          We are preparing an ad programme: your profile, shown to people who look for what you make. It has
          not launched yet. Your credits wait for it and can be used from its first day.
        </p>
        <p>
          <strong>Include your forum username in the note.</strong> It is how we know whose account the
          credits belong to. The forum username of your account is the one you signed up with.
        </p>
        <p>
          $1 brings $50 of credits, $10 brings $500. Credits are for ads here; they can’t be paid out, sold or
          passed on, and what you send is not refunded, as in our{' '}
          <TextLink to={paths.refundPolicy}>refund policy</TextLink>.
        </p>
        <p>
          You send it as a tip to us on the page to donate. Tips can’t be sent yet; the offer starts when they
          can.
        </p>
        <div className={styles.actions}>
          <LinkButton to={paths.donate}>Go to donate</LinkButton>
          <LinkButton to={paths.contact} variant="default">
            Ask a question
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
