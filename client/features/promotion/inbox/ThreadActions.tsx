import { type MouseEvent, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Thread, useDeleteThread, useIgnore, useSkip } from './api.ts'
import styles from './inbox.module.css'
import { actionTexts as texts } from './texts.ts'

/** Puts a thread away: for a day, with all of its author, or for good. The first two can be undone. */
export function ThreadActions({ thread }: { thread: Thread }) {
  const { author, ignore: isIgnored } = thread
  const [deleting, setDeleting] = useState(false)
  const [skip, ignore, remove] = [useSkip(), useIgnore(), useDeleteThread()]
  const failed = (error: Error) => toast.failure(texts.failed(errorMessage(error)))
  // The card goes at once, and with it what its own calls would have told: promises outlive it.
  const skipped = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    leaveThread(currentTarget)
    skip.mutateAsync({ thread, skip: true }).then(() => {
      const onAct = () => void skip.mutateAsync({ thread, skip: false }).catch(failed)
      toast.offer(texts.skipped, { label: texts.undo, onAct })
    }, failed)
  }
  const ignored = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    leaveThread(currentTarget)
    ignore.mutateAsync({ thread, ignore: !isIgnored }).then(() => {
      const onAct = () => void ignore.mutateAsync({ thread, ignore: isIgnored }).catch(failed)
      const message = isIgnored ? texts.unignored(author) : texts.isIgnored
      toast.offer(message, { label: texts.undo, onAct })
    }, failed)
  }
  return (
    <div className={styles.bar}>
      {!isIgnored && (
        <Button variant="default" onClick={skipped}>
          {texts.skip}
        </Button>
      )}
      <Button variant="default" onClick={ignored}>
        {isIgnored ? texts.unignore : texts.ignore}
      </Button>
      <Button variant="default" color="red" onClick={() => setDeleting(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={texts.deleteTitle}
        confirmLabel={texts.delete}
        destructive
        onConfirm={async () => {
          await remove.mutateAsync(thread)
          toast.success(texts.deleted)
        }}
      >
        <p>{texts.deleteEffect(author)}</p>
      </ConfirmDialog>
    </div>
  )
}

/** Keeps the keyboard's place as a thread goes: its neighbor's link to the author, else the heading of the page. */
function leaveThread(button: HTMLElement): void {
  const card = button.closest('li')
  const neighbor = card?.nextElementSibling ?? card?.previousElementSibling
  const heading = document.querySelector('h1')
  const next = neighbor?.querySelector<HTMLElement>('a') ?? heading
  if (next === heading && heading) heading.tabIndex = -1
  next?.focus({ preventScroll: next === heading })
}
