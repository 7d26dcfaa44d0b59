import { useState } from 'react'
import type { Person } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import type { Prove } from '../api.ts'
import { requestDeletion } from './api.ts'
import { goodbye } from './goodbye.ts'
import { deletionTexts as texts } from './texts.ts'

/** The way out (docs/product.md, Pages and Access): asked once, can be undone by logging in until it happens. */
export function DeleteProfile({ person, prove }: { person: Person; prove: Prove }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="outline" color="red" size="sm" onClick={() => setAsking(true)}>
        {texts.button}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.title}
        confirmLabel={texts.confirm}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={async () => {
          const deletion = await requestDeletion(person._id, prove)
          goodbye.say(deletion)
          writeToken(null)
        }}
      >
        <p>
          {texts.subscriptions} {person.isCreator && texts.subscribers}
        </p>
        <p>
          {texts.effect} {texts.afterwards(person.isCreator)}
        </p>
      </ConfirmDialog>
    </>
  )
}
