import { useSyncExternalStore } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { goodbye } from './goodbye.ts'
import styles from './privacy.module.css'
import { deletionTexts as texts } from './texts.ts'

/** Said over whatever page is there once the session is over. */
export default function Goodbye() {
  const deletion = useSyncExternalStore(goodbye.subscribe, goodbye.read)
  const close = () => goodbye.say(null)
  return (
    <Dialog opened={deletion !== null} onClose={close} title={texts.goodbye}>
      <div className={styles.after}>
        <p>{deletion?.message}</p>
        {deletion && <p>{texts.undo(formatDate(deletion.erasedBy))}</p>}
        <div>
          <Button onClick={close}>{texts.close}</Button>
        </div>
      </div>
    </Dialog>
  )
}
