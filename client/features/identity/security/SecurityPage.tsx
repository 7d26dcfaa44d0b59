import { useCurrentUser } from '../../../lib/session.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ReauthenticationProvider } from '../parts/reauthentication/ReauthenticationDialog.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { securityTexts } from './texts.ts'

/** How the account is protected: second factor, password, email address, and where it is logged in. */
export function Component() {
  const { secondFactor } = useCurrentUser()
  const mustEnrol = secondFactor === 'required'
  return (
    <Page
      title={securityTexts.title}
      lead={mustEnrol ? securityTexts.leadRequired : securityTexts.lead}
      width="text"
    >
      <ReauthenticationProvider>
        <SecondFactorSection />
        {!mustEnrol && (
          <>
            <PasswordSection />
            <EmailSection />
            <SessionsSection />
          </>
        )}
      </ReauthenticationProvider>
    </Page>
  )
}
