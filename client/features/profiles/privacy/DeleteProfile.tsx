import { useState } from 'react'
import type { Person } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { type Prove, requestDeletion } from '../api.ts'
import { goodbye } from './goodbye.ts'

/** The way out (docs/product.md, Pages and Access): asked once, can be undone by logging in until it happens. */
export function DeleteProfile({ person, prove }: { person: Person; prove: Prove }) {
  const [asking, setAsking] = useState(false)
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
        onConfirm={async () => {
          const deletion = await requestDeletion(person._id, prove)
          goodbye.say(deletion)
          writeToken(null)
        }}
      >
        <p>
          Subscriptions you pay for end and aren’t refunded.
          {person.isCreator && ' Your subscribers lose access and aren’t charged again.'}
        </p>
        <p>
          Nobody sees you any more from this moment, and you are logged out everywhere. Until it is deleted,
          logging in brings everything back. After that, your media and messages are gone for good
          {person.isCreator && ', also for those who bought them; we tell them today'}.
        </p>
      </ConfirmDialog>
    </>
  )
}
