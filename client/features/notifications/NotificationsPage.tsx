import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { MarkAll } from './list/MarkAll.tsx'
import { NotificationList } from './list/NotificationList.tsx'
import { SETTINGS_PATH } from './parts/bell/Bell.tsx'
import { notificationTexts as texts } from './texts.ts'

/** Everything the person was told. */
export function Component() {
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      action={
        <>
          <MarkAll />
          <LinkButton to={SETTINGS_PATH} variant="default" size="sm">
            {texts.settings}
          </LinkButton>
        </>
      }
    >
      <NotificationList />
    </Page>
  )
}
