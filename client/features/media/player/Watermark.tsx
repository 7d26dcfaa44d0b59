import { useSession } from '../../../lib/session.tsx'
import styles from './Watermark.module.css'

const PLACES = ['one', 'two', 'three', 'four'] as const

/** The viewer's own name, faintly over a video whose creator asked for it, so that a recording tells whose it is. */
export function Watermark() {
  const { currentUser } = useSession()
  if (!currentUser) return null
  return (
    <div className={styles.watermark} aria-hidden {...{ noautohide: '' }}>
      {PLACES.map((place) => (
        <span key={place} className={styles[place]}>
          @{currentUser.username}
        </span>
      ))}
    </div>
  )
}
