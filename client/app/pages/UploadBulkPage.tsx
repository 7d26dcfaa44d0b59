import { useQuery } from '@tanstack/react-query'
import { subscriptionsQuery } from '../../features/commerce/api.ts'
import { useEditHeld } from '../../features/commerce/selling/api.ts'
import { texts } from '../../features/media/upload/texts.ts'
import { UploadPanel } from '../../features/media/upload/UploadPanel.tsx'
import { paths } from '../../lib/paths.ts'
import { useCurrentUser } from '../../lib/session.tsx'
import { BackLink } from '../../ui/BackLink.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const person = useCurrentUser()
  const sold = useQuery({ ...subscriptionsQuery(person._id), enabled: person.isCreator }).data ?? []
  const edit = useEditHeld('subscription')
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      back={<BackLink to={paths.manageMedia}>{texts.manage}</BackLink>}
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
