import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'
import { donateTexts } from './texts.ts'

/** Thanks to those who want to give something to the operator. */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page title={donateTexts.title} lead={donateTexts.lead(brand)} width="text">
      <div className={styles.text}>
        <p>
          Your tip pays for servers, for the people who review content and answer complaints, and for what
          creators ask us to build next.
        </p>
        <Card>
          <p>
            <strong>Tips can’t be sent yet.</strong> Soon you’ll be able to tip any amount by card right here.
            Nothing is charged until then.
          </p>
        </Card>
        <p>
          How you can help today: invite someone with{' '}
          <TextLink to={paths.howToUse}>your referral link</TextLink>. It’s free, and you earn from it. If
          you’d like to tip now, write to us and we’ll let you know when you can.
        </p>
        <div className={styles.actions}>
          <LinkButton to={paths.contact}>{donateTexts.contact}</LinkButton>
          <LinkButton to={paths.howToUse} variant="default">
            {donateTexts.referrals}
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
