import { useSession } from '../../../lib/session.tsx'
import styles from './Watermark.module.css'

/** The viewer's own name, faintly in a corner of a video whose creator asked for it, so that a recording tells whose it is. */
export function Watermark() {
  const { currentUser } = useSession()
  if (!currentUser) return null
  return (
    <div className={styles.watermark} aria-hidden {...{ noautohide: '' }}>
      @{currentUser.username}
    </div>
  )
}
