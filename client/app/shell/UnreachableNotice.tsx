import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import styles from './UnreachableNotice.module.css'

/** Somebody has a session, but the server could not be asked who they are. */
export function UnreachableNotice() {
  const { unreachable, retry } = useSession()
  if (!unreachable) return null
  return (
    <div className={styles.notice} role="alert">
      <p>We can’t reach the service, so you look logged out for the moment.</p>
      <Button variant="default" size="sm" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
