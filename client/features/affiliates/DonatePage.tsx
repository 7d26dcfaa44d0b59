import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './affiliates.module.css'

/** Thanks to those who want to give something to the operator. */
export function Component() {
  const { brand } = useOperator()
  return (
    <Page title="Thank you" lead={`You want to help ${brand} along. That means a lot.`} width="text">
      <div className={styles.text}>
        <p>
          What you give pays for servers, for the people who check content and answer complaints, and for the
          next thing creators ask us for.
        </p>
        <Card>
          <p>
            <strong>Tips can’t be sent yet.</strong> Soon you will be able to give any amount by card, right
            here. Nothing is charged until then.
          </p>
        </Card>
        <p>
          What helps today: bring somebody along with{' '}
          <TextLink to={paths.howToUse}>your referral link</TextLink>. It costs nothing, and you earn on it.
          If you would like to give something now, write to us and we tell you when it is possible.
        </p>
        <div className={styles.actions}>
          <LinkButton to={paths.contact}>Write to us</LinkButton>
          <LinkButton to={paths.howToUse} variant="default">
            How referrals work
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
