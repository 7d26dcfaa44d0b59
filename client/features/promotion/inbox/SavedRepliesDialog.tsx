import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { toast } from '../../../ui/toast.ts'
import { leaveRow } from '../parts/focus.ts'
import { type SavedReply, savedRepliesQuery, useDeleteSavedReply, useSaveReply } from './api.ts'
import styles from './inbox.module.css'
import { savedTexts as texts } from './texts.ts'
import { titleOf } from './words.ts'

const SavedReplyForm = lazyPart(() => import('./SavedReplyForm.tsx').then((module) => module.SavedReplyForm))

type SavedRepliesProps = {
  opened: boolean
  onClose: () => void
  /** The typed text, which can be saved. */
  text: string
  onInsert: (text: string) => void
}

/** The person’s saved replies, to be put into the one that is written; and the place to save that. */
export function SavedRepliesDialog({ opened, onClose, ...rest }: SavedRepliesProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <SavedReplies {...rest} />
    </Dialog>
  )
}

function SavedReplies({ text, onInsert }: Omit<SavedRepliesProps, 'opened' | 'onClose'>) {
  const saved = useQuery(savedRepliesQuery)
  const save = useSaveReply()
  const remove = useDeleteSavedReply()
  const failure = (error: Error) => toast.failure(errorMessage(error))
  const keep = () =>
    save.mutate(
      { title: titleOf(text), text },
      { onSuccess: () => toast.success(texts.saved), onError: failure },
    )
  const takeAway = ({ _id, ...reply }: SavedReply) => {
    // The dialog may be closed by then, and with it what its own calls would have told: promises outlive it.
    const undo = () => save.mutateAsync(reply).then(() => toast.success(texts.back), failure)
    remove.mutateAsync(_id).then(() => {
      toast.offer(texts.deleted, { label: texts.undo, onAct: () => void undo() })
    }, failure)
  }
  return (
    <section className={styles.dialog} aria-label={texts.title}>
      <Fetched query={saved} failed={texts.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.quiet}>{texts.none}</p>
          ) : (
            <ul className={styles.rows}>
              {items.map((reply) => (
                <SavedRow
                  key={reply._id}
                  reply={reply}
                  onInsert={() => onInsert(reply.text)}
                  onDelete={() => takeAway(reply)}
                />
              ))}
            </ul>
          )
        }
      </Fetched>
      {text.trim() !== '' && (
        <div>
          <Button variant="default" loading={save.isPending} onClick={keep}>
            {texts.save}
          </Button>
        </div>
      )}
    </section>
  )
}

type SavedRowProps = { reply: SavedReply; onInsert: () => void; onDelete: () => void }

function SavedRow({ reply, onInsert, onDelete }: SavedRowProps) {
  const { title, text } = reply
  const [isEditing, setEditing] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const edit = () => {
    setEditing(true)
    // Open already, it has words in it that only Cancel throws away.
    row.current?.querySelector('input')?.focus()
  }
  const close = () => {
    setEditing(false)
    opener.current?.focus()
  }
  return (
    <li ref={row} className={styles.row}>
      <div className={styles.name}>
        <p>{title}</p>
        {text !== title && <p className={styles.start}>{text}</p>}
      </div>
      <div className={styles.bar}>
        <Button variant="default" aria-label={texts.insertOf(title)} onClick={onInsert}>
          {texts.insert}
        </Button>
        <Button
          ref={opener}
          variant="subtle"
          aria-label={texts.editOf(title)}
          aria-expanded={isEditing}
          onClick={edit}
        >
          {texts.edit}
        </Button>
        <Button
          variant="subtle"
          aria-label={texts.deleteOf(title)}
          onClick={(event) => {
            leaveRow(event.currentTarget)
            onDelete()
          }}
        >
          {texts.delete}
        </Button>
      </div>
      {isEditing && <SavedReplyForm reply={reply} onClose={close} />}
    </li>
  )
}
