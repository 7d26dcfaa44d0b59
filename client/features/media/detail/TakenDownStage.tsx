import { IconShieldOff } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import type { Media } from '../api.ts'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'

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
