import { useQuery } from '@tanstack/react-query'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail, OperatorSocial } from '../../ui/text-page/OperatorContact.tsx'
import { AgeCheckButton } from './AgeCheckButton.tsx'
import styles from './RestrictedPage.module.css'
import { SenatorList } from './SenatorList.tsx'
import { SENATE } from './senate.ts'
import { ownState } from './senate-list.ts'
import { restrictedTexts } from './texts.ts'
import { locationQuery, useVisitor } from './visitor.tsx'

/**
 * The page for visitors in regions with age-verification laws, in place of content (docs/product.md, Pages). It tells people
 * from whom nothing is withheld that nothing is.
 */
export function Component() {
  const { brand } = useOperator()
  const { isRestrictedState } = useVisitor()
  const place = useQuery(locationQuery).data
  const region = place?.region ?? null
  return (
    <Page
      title={isRestrictedState ? restrictedTexts.title(region) : restrictedTexts.openTitle}
      lead={!isRestrictedState && restrictedTexts.open(region)}
      width="reading"
    >
      <div className={styles.top}>
        <div className={styles.text}>
          <p>{restrictedTexts.about(place?.vpnHint ?? false)}</p>
          {isRestrictedState && <AgeCheckButton />}
          <WayIn />
          {region && (
            <p className={styles.small}>
              <a href="https://db-ip.com" rel="noreferrer">
                {restrictedTexts.geolocation}
              </a>
            </p>
          )}
        </div>
        <Card>
          <h2 className={styles.cardTitle}>{restrictedTexts.elsewhere}</h2>
          <p>
            {restrictedTexts.proven} <OperatorSocial /> {restrictedTexts.orEmail} <OperatorEmail />{' '}
            {restrictedTexts.approve}
          </p>
        </Card>
      </div>

      <Section title={restrictedTexts.stand}>
        <div className={styles.text}>
          <p>{restrictedTexts.laws}</p>
          <p>{restrictedTexts.betterWay(brand)}</p>
        </div>
      </Section>

      <Section title={restrictedTexts.call}>
        <SenatorList own={place && ownState(SENATE, place)} />
      </Section>
    </Page>
  )
}

/** Sign up and log in; somebody logged in is told what is missing. */
function WayIn() {
  const { currentUser } = useSession()
  const { isRestrictedState } = useVisitor()
  if (currentUser) {
    return (
      <p>
        {restrictedTexts.loggedIn} <strong>{currentUser.username}</strong>.{' '}
        {isRestrictedState && (
          <>
            {restrictedTexts.unverified} {restrictedTexts.stillOpen}{' '}
            <TextLink to={paths.billing}>{restrictedTexts.billing}</TextLink> {restrictedTexts.and}{' '}
            <TextLink to={paths.privacySettings}>{restrictedTexts.privacy}</TextLink>.{' '}
          </>
        )}
        {restrictedTexts.questions} <TextLink to={paths.contact}>{restrictedTexts.contact}</TextLink>.
      </p>
    )
  }
  return (
    <div className={styles.actions}>
      <LinkButton to={paths.signup} variant="default">
        {restrictedTexts.signUp}
      </LinkButton>
      <LinkButton to={paths.login} variant="default">
        {restrictedTexts.logIn}
      </LinkButton>
    </div>
  )
}
