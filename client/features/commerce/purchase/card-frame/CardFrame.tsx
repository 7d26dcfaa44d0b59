import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { ApiError } from '../../../../lib/api.ts'
import { callTexts } from '../../../../lib/texts.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { useScheme } from '../../../../ui/theme/scheme.ts'
import { cardTexts } from '../texts.ts'
import styles from './CardFrame.module.css'
import { CardRefused } from './card.ts'
import { type CardToken, type Hello, readMessage, type ToFrame } from './messages.ts'

export type CardFrameHandle = {
  /** A token for the card that was typed; throws `CardRefused`, without a message when the fields say what is wrong. */
  token(): Promise<CardToken>
  /** Shows at the fields what is missing. */
  check(): void
  /** Gives the focus to the fields. */
  focus(): void
}

/** How long the frame may take to come before it is given up, and then to answer: longer than it waits by itself. */
const FRAME_TIMEOUT_MS = 15_000
const TOKEN_TIMEOUT_MS = 60_000
/** What was loaded answers at once; what doesn't by then is an error page, or has lost its script. */
const GREETED_TIMEOUT_MS = 3_000

const NOT_LOADED = new ApiError(0, { error: callTexts.unreachable, code: 'unreachable' })

const FRAME_ADDRESS = '/card-frame'

type Asked = { resolve: (token: CardToken) => void; reject: (error: Error) => void }

/** The card fields, in a frame of their own origin: this page never holds the card that is typed into them. */
export function CardFrame({ disabled, ref }: { disabled: boolean; ref: Ref<CardFrameHandle> }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [port, setPort] = useState<MessagePort | null>(null)
  const [height, setHeight] = useState<number | null>(null)
  const asked = useRef<Asked | null>(null)
  const waiting = useRef<((port: MessagePort) => void)[]>([])
  const scheme = useScheme()
  const [missing, setMissing] = useState(false)
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined)

  const waitFor = (milliseconds: number) => {
    clearTimeout(patience.current)
    patience.current = setTimeout(() => setMissing(true), milliseconds)
  }

  const reload = () => {
    setMissing(false)
    waitFor(FRAME_TIMEOUT_MS)
    if (frame.current) frame.current.src = FRAME_ADDRESS
  }

  /** Speaks to what was loaded, which may be an error page: it is the frame once it answers. */
  const greet = () => {
    waitFor(GREETED_TIMEOUT_MS)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => hear(data, port1)
    const hello: Hello = { kind: 'card-frame', scheme }
    // An opaque origin has no name to send to; the message itself holds nothing that is secret.
    frame.current?.contentWindow?.postMessage(hello, '*', [port2])
  }

  const hear = (data: unknown, from: MessagePort) => {
    const message = readMessage(data)
    if (message?.kind === 'ready') {
      clearTimeout(patience.current)
      setMissing(false)
      setPort(from)
      for (const go of waiting.current.splice(0)) go(from)
    }
    if (message?.kind === 'height') setHeight(message.pixels)
    if (message?.kind === 'key') passOn(message.key)
    if (message?.kind === 'refused') asked.current?.reject(new CardRefused(message.message))
    if (message?.kind === 'token') {
      const { dataDescriptor, dataValue, billTo } = message
      asked.current?.resolve({ dataDescriptor, dataValue, billTo })
    }
  }

  /** Not before the frame listens, until when Escape in it would be lost; who is typing, in it or elsewhere, keeps the focus there. */
  const takeFocus = () => {
    const { activeElement } = document
    if (activeElement !== frame.current && !(activeElement instanceof HTMLInputElement))
      frame.current?.focus()
  }

  /** Keys that mean something to the whole dialog. */
  const passOn = (key: 'Enter' | 'Escape') => {
    if (key === 'Enter') frame.current?.closest('form')?.requestSubmit()
    else frame.current?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }

  const connected = () =>
    new Promise<MessagePort>((resolve, reject) => {
      if (port) return resolve(port)
      if (missing) reload()
      waiting.current.push(resolve)
      setTimeout(() => {
        const given = waiting.current.indexOf(resolve)
        if (given < 0) return
        waiting.current.splice(given, 1)
        reject(new CardRefused(cardTexts.notLoaded))
        reload()
      }, FRAME_TIMEOUT_MS)
    })

  const send = (message: ToFrame) => port?.postMessage(message)

  useEffect(() => port?.postMessage({ kind: 'scheme', scheme } satisfies ToFrame), [port, scheme])
  useEffect(() => port?.postMessage({ kind: 'disabled', disabled } satisfies ToFrame), [port, disabled])
  useEffect(() => () => port?.close(), [port])
  const onListening = useEffectEvent(takeFocus)
  useEffect(() => {
    if (port) onListening()
  }, [port])

  const onMount = useEffectEvent(() => waitFor(FRAME_TIMEOUT_MS))
  useEffect(() => {
    onMount()
    return () => clearTimeout(patience.current)
  }, [])
  const onOnline = useEffectEvent(reload)
  useEffect(() => {
    if (!missing) return
    const listener = () => onOnline()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [missing])

  useImperativeHandle(ref, () => ({
    check: () => send({ kind: 'check' }),
    focus: () => frame.current?.focus(),
    token: async () => {
      const to = await connected()
      return new Promise((resolve, reject) => {
        asked.current = { resolve, reject }
        to.postMessage({ kind: 'token' } satisfies ToFrame)
        setTimeout(() => reject(new CardRefused(cardTexts.unanswered)), TOKEN_TIMEOUT_MS)
      })
    },
  }))

  return (
    <>
      {missing && (
        <div className={styles.missing}>
          <ErrorState title={cardTexts.missing} error={NOT_LOADED} onRetry={reload} />
        </div>
      )}
      <iframe
        ref={frame}
        src={FRAME_ADDRESS}
        title={cardTexts.title}
        sandbox="allow-scripts allow-forms"
        className={styles.frame}
        style={height === null ? {} : { height }}
        hidden={missing}
        onLoad={greet}
        // A dialog that takes the focus once more gives it to what listens.
        data-autofocus={port ? true : undefined}
      />
    </>
  )
}
