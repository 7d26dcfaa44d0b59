import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { FormError } from '../../../ui/FormError.tsx'
import { useEditMessage } from '../api.ts'
import type { Message } from '../cache/timeline.ts'
import { editTexts as texts } from '../occasional-texts.ts'
import styles from './Composer.module.css'
import { focusAtEnd, GrowingTextArea, sendsByEnter } from './GrowingTextArea.tsx'

type EditFormProps = { message: Message; recipientId: string; label: string; onDone: () => void }

/** In place of the field for a new message: the text of one that was sent. */
export function EditForm({ message, recipientId, label, onDone }: EditFormProps) {
  const [text, setText] = useState(message.content)
  const edit = useEditMessage(recipientId)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => focusAtEnd(field.current), [])
  const content = text.trim()
  const save = () => {
    if (content === '' || edit.isPending) return
    if (content === message.content) return onDone()
    edit.mutate({ messageId: message._id, content }, { onSuccess: onDone })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className={styles.context}>
        <p className={styles.contextWords}>
          <strong>{texts.editing}</strong>
          <span className={styles.contextText}>{message.content}</span>
        </p>
        <button type="button" className={styles.icon} aria-label={texts.cancelEdit} onClick={onDone}>
          <IconX size={20} stroke={1.5} aria-hidden />
        </button>
      </div>
      <FormError>{edit.error ? errorMessage(edit.error) : undefined}</FormError>
      <div className={styles.line}>
        <GrowingTextArea
          fieldRef={field}
          label={label}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDone()
            if (!sendsByEnter(event)) return
            event.preventDefault()
            save()
          }}
        />
        <button
          type="submit"
          className={styles.send}
          aria-label={texts.save}
          disabled={content === '' || edit.isPending}
        >
          <IconCheck size={22} stroke={1.75} aria-hidden />
        </button>
      </div>
    </form>
  )
}
