import { IconShieldLock } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** In place of a guarded page while an operator lacks the second factor that is required (docs/product.md, Access). */
export function SecondFactorNotice() {
  return (
    <Page title="One step is left">
      <EmptyState
        Icon={IconShieldLock}
        title="Set up a second factor first"
        action={<LinkButton to={paths.security}>Set it up</LinkButton>}
      >
        It is required of operators. An authenticator app or a passkey takes two minutes; everything opens
        after it.
      </EmptyState>
    </Page>
  )
}
