import { IconShieldLock } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { secondFactorNoticeTexts } from './texts.ts'

/** In place of a guarded page while an operator lacks the second factor that is required (docs/product.md, Access). */
export function SecondFactorNotice() {
  return (
    <Page title={secondFactorNoticeTexts.page}>
      <EmptyState
        Icon={IconShieldLock}
        title={secondFactorNoticeTexts.title}
        action={<LinkButton to={paths.security}>{secondFactorNoticeTexts.setUp}</LinkButton>}
      >
        {secondFactorNoticeTexts.about}
      </EmptyState>
    </Page>
  )
}
