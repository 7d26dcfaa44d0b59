import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { noticeTexts } from './texts.ts'
import styles from './UnreachableNotice.module.css'

/** Somebody has a session, but the server could not be asked who they are. */
export function UnreachableNotice() {
  const { unreachable, retry } = useSession()
  if (!unreachable) return null
  return (
    <div className={styles.notice} role="alert">
      <p>{noticeTexts.unreachable}</p>
      <Button variant="default" size="sm" onClick={retry}>
        {noticeTexts.tryAgain}
      </Button>
    </div>
  )
}
