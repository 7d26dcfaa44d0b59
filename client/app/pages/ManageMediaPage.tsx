import { IconCalendarRepeat, IconPackage } from '@tabler/icons-react'
import type { Collecting } from '../../features/media/manage/bulk/SelectionBar.tsx'
import { ManageMedia } from '../../features/media/manage/ManageMedia.tsx'
import { texts } from '../../features/media/manage/texts.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'

const AddTo = lazyPart(() => import('../../features/commerce/selling/AddTo.tsx').then(({ AddTo }) => AddTo))

const COLLECTING: readonly Collecting[] = [
  {
    label: texts.addTo.subscription,
    Icon: IconCalendarRepeat,
    Inside: (props) => <AddTo kind="subscription" {...props} />,
  },
  { label: texts.addTo.bundle, Icon: IconPackage, Inside: (props) => <AddTo kind="bundle" {...props} /> },
]

export function Component() {
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={<LinkButton to={paths.uploadBulk}>{texts.upload}</LinkButton>}
    >
      <ManageMedia collecting={COLLECTING} />
    </Page>
  )
}
