import { IconSearch } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { unknownTexts as texts } from './unknown-texts.ts'

/** In place of a profile that isn't there. */
export default function UnknownProfile() {
  return (
    <Page title={texts.title}>
      <EmptyState
        Icon={IconSearch}
        title={texts.unknown}
        action={<LinkButton to={paths.discover}>{texts.browse}</LinkButton>}
      >
        {texts.hint}
      </EmptyState>
    </Page>
  )
}
