import { IconShieldOff } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import type { Media } from '../api.ts'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'

/** The page of an own item that was taken down and is deleted, to which a notification may lead. */
export function DeletedWhileDown({ mediaId, reason }: { mediaId: string; reason: string | undefined }) {
  return (
    <Page title={texts.page}>
      <EmptyState
        Icon={IconShieldOff}
        title={texts.deletedDown}
        action={<LinkButton to={paths.appeal(paths.media(mediaId))}>{texts.appeal}</LinkButton>}
      >
        {reason}
      </EmptyState>
    </Page>
  )
}

/** Replaces an item that was taken down, for its owner and the operator. */
export function TakenDownStage({ media }: { media: Media }) {
  const { currentUser } = useSession()
  const own = media.creatorId === currentUser?._id
  return (
    <div className={styles.takenDown} role="status">
      <IconShieldOff size={30} stroke={1.5} aria-hidden />
      <p>{texts.takenDown}</p>
      {media.takenDownReason && <p>{media.takenDownReason}</p>}
      <p className={styles.hint}>{own ? texts.takenDownOwner : texts.takenDownOthers}</p>
      {own && <LinkButton to={paths.appeal(paths.media(media._id))}>{texts.appeal}</LinkButton>}
    </div>
  )
}
