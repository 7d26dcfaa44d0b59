import { BlockedPeople } from '../../features/profiles/privacy/BlockedPeople.tsx'
import { DiscoverableSwitch } from '../../features/profiles/privacy/DiscoverableSwitch.tsx'
import { GeoBlockForm } from '../../features/profiles/privacy/GeoBlockForm.tsx'
import { OwnData } from '../../features/profiles/privacy/OwnData.tsx'
import { WatermarkSwitch } from '../../features/profiles/privacy/WatermarkSwitch.tsx'
import { useCurrentUser } from '../../lib/session.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import DeleteAccount from '../DeleteAccount.tsx'

/** Who finds the person, and what becomes of their data. Before the e-mail is confirmed one can only leave. */
export function Component() {
  const person = useCurrentUser()
  return (
    <Page title="Privacy" lead="Who finds you, and what becomes of your data." width="text">
      {person.verifiedEmail === 'verified' && (
        <>
          {!person.isCreator && (
            <Section title="Who finds you">
              <DiscoverableSwitch />
            </Section>
          )}
          <Section title="Blocked people">
            <BlockedPeople />
          </Section>
          {person.isCreator && (
            <>
              <Section title="Places that don’t see you">
                <GeoBlockForm />
              </Section>
              <Section title="What you sell">
                <WatermarkSwitch />
              </Section>
            </>
          )}
          <Section title="Your data">
            <OwnData />
          </Section>
        </>
      )}
      <Section title="Your account">
        <DeleteAccount person={person} />
      </Section>
    </Page>
  )
}
