import { blockTexts } from '../../features/profiles/people/texts.ts'
import { BlockedPeople } from '../../features/profiles/privacy/BlockedPeople.tsx'
import { DiscoverableSwitch } from '../../features/profiles/privacy/DiscoverableSwitch.tsx'
import { GeoBlockForm } from '../../features/profiles/privacy/GeoBlockForm.tsx'
import { OwnData } from '../../features/profiles/privacy/OwnData.tsx'
import { dataTexts, privacyTexts as texts } from '../../features/profiles/privacy/texts.ts'
import { WatermarkSwitch } from '../../features/profiles/privacy/WatermarkSwitch.tsx'
import { useCurrentUser } from '../../lib/session.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import DeleteAccount from '../DeleteAccount.tsx'

/** Who finds the person, and what becomes of their data. Before the email is confirmed one can only leave. */
export function Component() {
  const person = useCurrentUser()
  return (
    <Page title={texts.title} lead={texts.lead} width="text">
      {person.verifiedEmail === 'verified' && (
        <>
          {!person.isCreator && (
            <Section title={texts.whoFinds}>
              <DiscoverableSwitch />
            </Section>
          )}
          <Section title={blockTexts.listTitle}>
            <BlockedPeople />
          </Section>
          {person.isCreator && (
            <>
              <Section title={texts.regions}>
                <GeoBlockForm />
              </Section>
              <Section title={texts.selling}>
                <WatermarkSwitch />
              </Section>
            </>
          )}
          <Section title={dataTexts.title}>
            <OwnData />
          </Section>
        </>
      )}
      <Section title={texts.account}>
        <DeleteAccount person={person} />
      </Section>
    </Page>
  )
}
