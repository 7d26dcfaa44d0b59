import { useCurrentUser } from '../../../lib/session.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { blockTexts } from '../people/texts.ts'
import { BecomeCreator } from './BecomeCreator.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import DeleteAccount from './DeleteAccount.tsx'
import { GeoBlockForm } from './GeoBlockForm.tsx'
import { OwnData } from './OwnData.tsx'
import { DiscoverableSwitch, WatermarkSwitch } from './SettingSwitches.tsx'
import { creatorTexts, dataTexts, privacyTexts as texts } from './texts.ts'

/** Who finds the person, and what happens with their data. Before the email is confirmed one can only leave. */
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
          {!person.isCreator && (
            <Section title={creatorTexts.section}>
              <BecomeCreator />
            </Section>
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
