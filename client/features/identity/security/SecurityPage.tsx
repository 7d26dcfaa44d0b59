import { useCurrentUser } from '../../../lib/session.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ReauthenticationProvider } from '../reauthentication/ReauthenticationDialog.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'

/** How the account is protected: second factor, password, e-mail address, and where it is logged in. */
export function Component() {
  const { secondFactor } = useCurrentUser()
  const mustEnrol = secondFactor === 'required'
  return (
    <Page
      title="Security"
      lead={
        mustEnrol
          ? 'A second factor is required of operators. Everything else opens after it.'
          : 'How you log in, and where you are logged in.'
      }
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
