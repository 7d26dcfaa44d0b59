import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { MarkAll } from './list/MarkAll.tsx'
import { NotificationList } from './list/NotificationList.tsx'
import { bellTexts } from './parts/bell/texts.ts'
import { notificationTexts as texts } from './texts.ts'

/** Everything the person was told. */
export function Component() {
  return (
    <Page
      title={bellTexts.title}
      lead={texts.lead}
      width="text"
      action={
        <>
          <MarkAll />
          <LinkButton to={paths.notificationSettings} variant="default" size="sm">
            {texts.settings}
          </LinkButton>
        </>
      }
    >
      <NotificationList heading="h2" />
    </Page>
  )
}
