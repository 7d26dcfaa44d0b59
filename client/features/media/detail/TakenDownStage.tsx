import { IconShieldOff } from '@tabler/icons-react'
import { useSession } from '../../../lib/session.tsx'
import type { Media } from '../api.ts'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'

/** Replaces an item that was taken down, for its owner and the operator. */
export function TakenDownStage({ media }: { media: Media }) {
  const { currentUser } = useSession()
  const own = media.creatorId === currentUser?._id
  return (
    <div className={styles.box} style={{ aspectRatio: '4 / 3', '--ratio': 4 / 3 } as object}>
      <div className={styles.locked} role="status">
        <IconShieldOff size={30} stroke={1.5} aria-hidden />
        <p>{texts.takenDown}</p>
        <p className={styles.hint}>{own ? texts.takenDownOwner : texts.takenDownOthers}</p>
      </div>
    </div>
  )
}
