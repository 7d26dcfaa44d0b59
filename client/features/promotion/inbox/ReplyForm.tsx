import { Textarea } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { MAX_REPLY_LENGTH } from '../../../../contract/promotion.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { toast } from '../../../ui/toast.ts'
import { InsertOffer } from '../../commerce/parts/InsertOffer.tsx'
import { type Thread, useReply } from './api.ts'
import { readDraft, unsentDraft, writeDraft } from './drafts.ts'
import styles from './inbox.module.css'
import { SavedRepliesDialog } from './SavedRepliesDialog.tsx'
import { actionTexts as texts } from './texts.ts'
import { inserted } from './words.ts'

/** Where a thread is answered. What is typed stays until it was sent, through a reload too. */
export function ReplyForm({ thread }: { thread: Thread }) {
  const { _id: personId } = useCurrentUser()
  const [text, setText] = useState(() => unsentDraft(personId, thread))
  const [saved, setSaved] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  /** The selection; a field without focus so far is written to at its end. */
  const place = useRef<{ start: number; end: number } | null>(null)
  const { error, isIdle, isSending, mutateAsync } = useReply(personId, thread)
  // A text that an earlier form sent is no draft anymore.
  const [wasSending, setWasSending] = useState(isSending)
  if (wasSending !== isSending) {
    setWasSending(isSending)
    if (!isSending && isIdle) setText(readDraft(personId, thread._id))
  }
  const write = (next: string) => {
    setText(next)
    writeDraft(personId, thread._id, next)
  }
  const insert = (part: string) => {
    const changed = inserted(text, part, place.current ?? { start: text.length, end: text.length })
    place.current = { start: changed.cursor, end: changed.cursor }
    write(changed.text.slice(0, MAX_REPLY_LENGTH))
    setSaved(false)
    // Once the dialog has given the focus back.
    setTimeout(() => {
      field.current?.focus()
      field.current?.setSelectionRange(changed.cursor, changed.cursor)
    }, 250)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isSending) return
    // The form may be gone by then, and with it what its own call would have told: a promise outlives it.
    mutateAsync(text).then(
      ({ reply }) => {
        toast.success(reply.state === 'sending' ? texts.unsure : texts.replied)
        setText((now) => (now === text ? '' : now))
        place.current = null
      },
      // The form says it, and the thread.
      () => undefined,
    )
  }
  return (
    <form className={styles.form} onSubmit={send}>
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={14}
        maxLength={MAX_REPLY_LENGTH}
        aria-label={texts.write(thread.author)}
        placeholder={texts.placeholder}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        onSelect={({ currentTarget: { selectionStart: start, selectionEnd: end } }) => {
          place.current = { start, end }
        }}
      />
      {error && <FormError>{reasonOf(error)}</FormError>}
      <div className={styles.bar}>
        <Button type="submit" loading={isSending} disabled={text.trim() === ''}>
          {texts.reply}
        </Button>
        <Button
          variant="subtle"
          leftSection={<IconBookmark size={18} stroke={1.75} aria-hidden />}
          onClick={() => setSaved(true)}
        >
          {texts.saved}
        </Button>
        <InsertOffer onInsert={insert} />
      </div>
      <SavedRepliesDialog opened={saved} onClose={() => setSaved(false)} text={text} onInsert={insert} />
    </form>
  )
}

/** The forum's own reason where it gave one. */
function reasonOf(error: Error): string {
  const told = error instanceof ApiError ? error.details.messageText : undefined
  return told ?? errorMessage(error)
}
