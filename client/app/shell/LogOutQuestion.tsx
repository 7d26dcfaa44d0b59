import { useNavigate } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { afterLogin } from '../../lib/redirect.ts'
import { useSession } from '../../lib/session.tsx'
import { discardUnsaved } from '../../lib/unsaved.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { logOutTexts } from './log-out-texts.ts'

/** Asks before a log-out that would stop or lose something, and logs out. */
export default function LogOutQuestion({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { logout } = useSession()
  const navigate = useNavigate()
  const confirm = async () => {
    // The page goes with the session, so that it does not ask in its turn.
    await logout()
    discardUnsaved()
    // Where its guard meant to lead back to is not for the next person.
    afterLogin.clear()
    await navigate(paths.home, { replace: true })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={logOutTexts.title}
      confirmLabel={logOutTexts.confirm}
      cancelLabel={logOutTexts.cancel}
      stays
      onConfirm={confirm}
    >
      {logOutTexts.lost}
    </ConfirmDialog>
  )
}
