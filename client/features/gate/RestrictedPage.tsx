import { useQuery } from '@tanstack/react-query'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { OperatorEmail, OperatorSocial } from '../../ui/OperatorContact.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { AgeCheckButton } from './AgeCheckButton.tsx'
import styles from './RestrictedPage.module.css'
import { SenatorList } from './SenatorList.tsx'
import { SENATE } from './senate.ts'
import { ownState } from './senate-list.ts'
import { locationQuery, useVisitor } from './visitor.tsx'

/** What visitors in regions with age-verification laws see in place of content (docs/product.md, Pages). */
export function Component() {
  const { brand } = useOperator()
  const { isVerified } = useVisitor()
  const place = useQuery(locationQuery).data
  const region = place?.region ?? null
  return (
    <Page title={`Restricted in your region${region ? ` (${region})` : ''}`}>
      <div className={styles.top}>
        <div className={styles.text}>
          <p>
            Visitors in states with age-verification laws can still sign up, but content stays hidden until
            they are verified{place?.vpnHint ? ', or they can use a VPN' : ''}.
          </p>
          {!isVerified && <AgeCheckButton />}
          <WayIn />
          {region && (
            <p className={styles.small}>
              <a href="https://db-ip.com" rel="noreferrer">
                IP geolocation by DB-IP
              </a>
            </p>
          )}
        </div>
        <Card>
          <h2 className={styles.cardTitle}>Do you create somewhere else already?</h2>
          <p>
            If you have an account as a creator on another platform, you have proven your age there. Message{' '}
            <OperatorSocial /> or write to <OperatorEmail />, and we approve you by hand.
          </p>
        </Card>
      </div>

      <Section title="Where we stand">
        <div className={styles.text}>
          <p>
            No child should see what is shown here, and we do our part to prevent it. We believe that these
            laws are the wrong way. They make adults hand their papers to strangers to look at something
            legal, they build collections of who looks at what, and they push people to places that check
            nothing at all, neither the age of those who look nor the consent of those who are shown.
          </p>
          <p>
            There is a better way: parental controls and a signal of age on the device itself, where it stays
            private and works on every site at once. Until then {brand} obeys the law of your state, and asks
            you to say what you think of it to those who can change it.
          </p>
        </div>
      </Section>

      <Section title="Call your senators">
        <SenatorList own={place && ownState(SENATE, place)} />
      </Section>
    </Page>
  )
}

/** Sign up and log in; somebody logged in is told what is missing. */
function WayIn() {
  const { currentUser } = useSession()
  const { isVerified } = useVisitor()
  if (currentUser) {
    return (
      <p>
        You are logged in as <strong>{currentUser.username}</strong>. Your age is{' '}
        {isVerified ? 'verified, so nothing is hidden from you' : 'not verified yet'}. Questions about it go
        to our <TextLink to={paths.contact}>contact form</TextLink>.
      </p>
    )
  }
  return (
    <div className={styles.actions}>
      <LinkButton to={paths.signup} variant="default">
        Sign Up
      </LinkButton>
      <LinkButton to={paths.login} variant="default">
        Log in
      </LinkButton>
    </div>
  )
}
