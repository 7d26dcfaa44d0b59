import { useQuery } from '@tanstack/react-query'
import { subscriptionsQuery, useAddToSubscription } from '../../features/commerce/api.ts'
import { UploadPanel } from '../../features/media/upload/UploadPanel.tsx'
import { paths } from '../../lib/paths.ts'
import { useCurrentUser } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const person = useCurrentUser()
  const sold = useQuery({ ...subscriptionsQuery(person._id), enabled: person.isCreator }).data ?? []
  const add = useAddToSubscription()
  return (
    <Page
      title="Upload media"
      lead="New uploads are private until you choose who sees them."
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          Manage media
        </LinkButton>
      }
    >
      <UploadPanel
        subscriptions={{
          choices: sold.map(({ _id, title }) => ({ value: _id, label: title })),
          add: (subscriptionId, mediaIds) => add.mutateAsync({ subscriptionId, mediaIds: [...mediaIds] }),
        }}
      />
    </Page>
  )
}
