import { IconPhotoPlus, IconPhotoSearch, IconSend2, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react'
import { MAX_ATTACHMENTS, MAX_MESSAGE_LENGTH } from '../../../../contract/constants.ts'
import { centsOf, lowestPriceText, NO_MONEY, parseMoney } from '../../../../contract/money.ts'
import { useConfig } from '../../../lib/config.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { emit } from '../../../lib/socket.ts'
import { FormError } from '../../../ui/FormError.tsx'
import { typesOnScreen } from '../../../ui/focus.ts'
import { lazyPart, useCodeAhead, useLatch } from '../../../ui/lazy-part.tsx'
import { useAttachmentUploads } from '../../media/parts/attachments/attachment-uploads.ts'
import { ACCEPT, pastedFiles } from '../../media/parts/attachments/files.ts'
import type { Message, Participant } from '../cache/timeline.ts'
import { TYPING_EVERY_MS } from '../cache/typing.ts'
import { useOutbox } from '../outbox/outbox.ts'
import type { Quote } from '../outbox/outgoing.ts'
import { readDraft, watchDraft, writeDraft } from '../outbox/unsent.ts'
import { composerTexts as texts } from '../texts.ts'
import styles from './Composer.module.css'
import { focusAtEnd, GrowingTextArea, sendsByEnter } from './GrowingTextArea.tsx'
import { useOpenedFromList } from './opened-from-list.ts'
import { currentQuote, emptyTray, type Handling, isFree, quotedText, type Tray, trayOf } from './writing.ts'

// Most messages are words alone.
const loadTray = () => import('./TrayPanel.tsx')
const TrayPanel = lazyPart(
  () => loadTray().then((module) => module.TrayPanel),
  <div className={styles.tray} />,
)
const loadEditForm = () => import('./EditForm.tsx')
const EditForm = lazyPart(
  () => loadEditForm().then((module) => module.EditForm),
  <div className={styles.tray} />,
)
/** How long after a conversation was opened the code for files and changes comes, in milliseconds: not with the page’s own. */
const REST_MS = 5_000
const loadRest = () => Promise.all([loadTray(), loadEditForm()])
const loadCreatorsRest = () => loadRest().then(([tray]) => tray.loadPrice())
const LibraryPicker = lazyPart(() => import('./LibraryPicker.tsx').then((module) => module.default))

type ComposerProps = {
  recipientId: string
  conversationId: string
  other: Participant
  handling: Handling
  /** Those of the conversation that are loaded. */
  messages: readonly Message[]
  /** Focuses the field at once, because a text came back to be edited. */
  focused: boolean
  onHandled: () => void
}

/** Where a message is written, or one's own edited. */
export function Composer(props: ComposerProps) {
  const { handling, onHandled, recipientId, other } = props
  const [wasEdited, setWasEdited] = useState(false)
  if (handling?.how === 'edit') {
    return (
      <EditForm
        key={handling.message._id}
        message={handling.message}
        recipientId={recipientId}
        label={texts.label(other.username)}
        onDone={() => {
          setWasEdited(!typesOnScreen())
          onHandled()
        }}
      />
    )
  }
  const focused = props.focused || wasEdited
  return <WriteForm {...props} focused={focused} replyTo={handling?.quote ?? null} />
}

type WriteProps = ComposerProps & { replyTo: Quote | null }

function WriteForm({
  recipientId,
  conversationId,
  other,
  messages,
  replyTo,
  focused,
  onHandled,
}: WriteProps) {
  const me = useCurrentUser()
  const lowest = useConfig()?.limits.lowestPrice
  const { outbox } = useOutbox()
  const { uploads, all, maxBytes } = useAttachmentUploads()
  const [text, setText] = useState(() => readDraft(me._id, recipientId))
  const [tray, setTray] = useState<Tray>(() => trayOf(recipientId).read())
  const [error, setError] = useState<string | null>(null)
  const [picking, setPicking] = useState(false)
  const pickerNeeded = useLatch(picking)
  const [dragged, setDragged] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const toldTyping = useRef(0)
  const files = all.filter(({ key }) => tray.uploadKeys.includes(key))
  const count = files.length + tray.items.length
  const price = count > 0 && tray.price.trim() !== '' ? tray.price : null
  // The tray shows the reason why it can't be sent.
  const isWrong = files.some((file) => file.state === 'failed') || (price !== null && tray.items.some(isFree))
  const ready = (text.trim() !== '' || count > 0) && !isWrong

  useCodeAhead(me.isCreator ? loadCreatorsRest : loadRest, REST_MS)
  useEffect(() => trayOf(recipientId).write(tray), [recipientId, tray])
  useEffect(
    () => watchDraft(me._id, recipientId, (sent) => setText((now) => (now === sent ? '' : now))),
    [me._id, recipientId],
  )
  useEffect(() => {
    if (replyTo) focusAtEnd(field.current)
  }, [replyTo])
  const opened = useOpenedFromList()
  useEffect(() => {
    // What was waited for may have taken a while, and the person went on to another field.
    const isTyping = document.activeElement?.matches('input, textarea')
    const isExpected = focused || (opened !== null && !typesOnScreen())
    if (isExpected && !isTyping) focusAtEnd(field.current, { preventScroll: true })
  }, [focused, opened])

  const type = (next: string) => {
    setText(next)
    setError(null)
    writeDraft(me._id, recipientId, next)
    if (next.trim() === '' || Date.now() - toldTyping.current < TYPING_EVERY_MS) return
    toldTyping.current = Date.now()
    // Nobody misses it when there is no connection.
    emit('typing', { conversationId }).catch(() => undefined)
  }
  const attach = (chosen: readonly File[]) => {
    if (chosen.length === 0) return
    if (count + chosen.length > MAX_ATTACHMENTS) return setError(texts.tooMany(MAX_ATTACHMENTS))
    setError(null)
    const keys = uploads.choose(chosen, maxBytes)
    setTray((before) => ({ ...before, uploadKeys: [...before.uploadKeys, ...keys] }))
    field.current?.focus()
  }
  const cancelUpload = () => {
    for (const key of tray.uploadKeys) uploads.drop(key)
    setTray(emptyTray)
    field.current?.focus()
  }
  const send = () => {
    field.current?.focus()
    if (!ready) return
    if (text.trim().length > MAX_MESSAGE_LENGTH) return setError(texts.tooLong(MAX_MESSAGE_LENGTH))
    if (count > MAX_ATTACHMENTS) return setError(texts.tooMany(MAX_ATTACHMENTS))
    if (price !== null && parseMoney(price) === null) return setError(NO_MONEY)
    const least = centsOf(lowest ?? '')
    if (price !== null && centsOf(price) < least) return setError(lowestPriceText(least))
    writeDraft(me._id, recipientId, '')
    outbox.send({
      recipientId,
      conversationId,
      content: text.trim(),
      replyTo,
      uploadKeys: files.map(({ key }) => key),
      mediaIds: tray.items.map(({ _id }) => _id),
      items: tray.items,
      price,
    })
    setText('')
    setTray(emptyTray)
    toldTyping.current = 0
    onHandled()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedFiles(event.nativeEvent, new Date())
    if (pasted.length === 0) return
    event.preventDefault()
    attach(pasted)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setDragged(false)
    attach([...event.dataTransfer.files])
  }
  return (
    <form
      className={styles.form}
      data-dragged={dragged || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragged(true)
      }}
      onDragLeave={() => setDragged(false)}
      onDrop={onDrop}
    >
      {dragged && <p className={styles.drop}>{texts.drop}</p>}
      {replyTo && (
        <div className={styles.context}>
          <p className={styles.contextWords}>
            <strong>{texts.replyingTo(replyTo.senderId === me._id ? texts.yourself : other.username)}</strong>
            <span className={styles.contextText}>{quotedText(currentQuote(replyTo, messages))}</span>
          </p>
          <button
            type="button"
            className={styles.icon}
            aria-label={texts.cancelReply}
            onClick={() => {
              if (!typesOnScreen()) field.current?.focus()
              onHandled()
            }}
          >
            <IconX size={20} stroke={1.5} aria-hidden />
          </button>
        </div>
      )}
      {count > 0 && (
        <TrayPanel
          tray={tray}
          files={files}
          uploads={uploads}
          creates={me.isCreator}
          onChange={(next) => {
            setError(null)
            setTray(next)
          }}
          onCancel={cancelUpload}
        />
      )}
      <FormError>{error ?? undefined}</FormError>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.icon}
          aria-label={texts.upload}
          title={texts.upload}
          onClick={() => fileInput.current?.click()}
        >
          <IconPhotoPlus size={24} stroke={1.5} aria-hidden />
        </button>
        <input
          ref={fileInput}
          type="file"
          hidden
          multiple
          accept={ACCEPT}
          aria-label={texts.upload}
          onChange={(event) => {
            attach([...(event.currentTarget.files ?? [])])
            // The same file may be chosen again.
            event.currentTarget.value = ''
          }}
        />
        {me.isCreator && (
          <button
            type="button"
            className={styles.icon}
            aria-label={texts.library}
            title={texts.library}
            onClick={() => setPicking(true)}
          >
            <IconPhotoSearch size={24} stroke={1.5} aria-hidden />
          </button>
        )}
        <GrowingTextArea
          fieldRef={field}
          label={texts.label(other.username)}
          placeholder={texts.placeholder}
          value={text}
          onChange={type}
          onPaste={onPaste}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && replyTo) onHandled()
            if (!sendsByEnter(event)) return
            event.preventDefault()
            send()
          }}
        />
        <button
          type="submit"
          className={styles.send}
          aria-label={texts.send}
          disabled={!ready}
          // The field keeps the focus, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
        >
          <IconSend2 size={22} stroke={1.75} aria-hidden />
        </button>
      </div>
      {pickerNeeded && (
        <LibraryPicker
          opened={picking}
          most={MAX_ATTACHMENTS - files.length}
          attached={tray.items}
          sold={tray.price !== ''}
          onClose={() => setPicking(false)}
          onAttach={(items) => {
            setTray((before) => ({ ...before, items }))
            setPicking(false)
          }}
        />
      )}
    </form>
  )
}
