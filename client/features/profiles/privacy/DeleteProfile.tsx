import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { requestDeletion } from '../api.ts'
import styles from './privacy.module.css'

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** The way out (core §2.3, §4): asked once, can be undone by logging in until it happens. */
export function DeleteProfile({ person }: { person: Person }) {
  const [asking, setAsking] = useState(false)
  const [deletion, setDeletion] = useState<Awaited<ReturnType<typeof requestDeletion>>>()
  // The session is over on the server already; here it ends once the message was read.
  const leave = () => writeToken(null)
  return (
    <>
      <Button variant="outline" color="red" size="sm" onClick={() => setAsking(true)}>
        DELETE PROFILE
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Delete your profile?"
        confirmLabel="Delete my profile"
        cancelLabel="Keep it"
        destructive
        onConfirm={async () => setDeletion(await requestDeletion(person._id))}
      >
        <p>
          Nobody sees you any more from this moment, and you are logged out everywhere. Until it is deleted,
          logging in brings everything back. After that, your media and messages are gone for good
          {person.isCreator && ', also for those who bought them; we tell them today'}.
        </p>
      </ConfirmDialog>
      <Dialog opened={deletion !== undefined} onClose={leave} title="Goodbye">
        <div className={styles.after}>
          <p>{deletion?.message}</p>
          {deletion && (
            <p>
              Changed your mind? Log in before {DAY.format(new Date(deletion.erasedBy))}, and everything comes
              back.
            </p>
          )}
          <div>
            <Button onClick={leave}>Close</Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
