import { useQuery } from '@tanstack/react-query'
import { subscriptionsQuery } from '../../features/commerce/api.ts'
import { useEditHeld } from '../../features/commerce/selling/api.ts'
import { UploadPanel } from '../../features/media/upload/UploadPanel.tsx'
import { paths } from '../../lib/paths.ts'
import { useCurrentUser } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

export function Component() {
  const person = useCurrentUser()
  const sold = useQuery({ ...subscriptionsQuery(person._id), enabled: person.isCreator }).data ?? []
  const edit = useEditHeld('subscription')
  return (
    <Page
      title={pageTexts.upload}
      lead={pageTexts.uploadLead}
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          {pageTexts.manage}
        </LinkButton>
      }
    >
      <UploadPanel
        subscriptions={{
          choices: sold.map(({ _id, title }) => ({ value: _id, label: title })),
          add: (subscriptionId, mediaIds) =>
            edit.mutateAsync({ id: subscriptionId, addMediaIds: [...mediaIds] }),
        }}
      />
    </Page>
  )
}
