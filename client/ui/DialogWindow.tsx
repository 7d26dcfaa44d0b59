import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type DialogAround, DialogContext, lostByClosing } from '../lib/unsaved.ts'
import questionStyles from './ConfirmDialog.module.css'
import { Button } from './core/Button.tsx'
import styles from './DialogWindow.module.css'
import { focusFirstField } from './first-field.ts'
import { rememberFocus } from './focus.ts'
import { discardTexts } from './occasional-texts.ts'
import { registerDialog, topmostDialog } from './open-dialogs.ts'
import { dialogTexts } from './texts.ts'
import { MantineScope } from './theme/MantineScope.tsx'

export type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** False while something is under way that closing would leave behind; a form whose hook runs inside says so itself. */
  closable?: boolean
}

/** The window itself, in a chunk of its own: Dialog.tsx loads it when it is needed. */
export default function DialogWindow(props: DialogProps) {
  const { opened, onClose, title, children } = props
  const [waiting, setWaiting] = useState(0)
  const [around] = useState<DialogAround>(() => ({
    wait: () => {
      setWaiting((count) => count + 1)
      return () => setWaiting((count) => count - 1)
    },
  }))
  /** The question before it closes, or the last one. */
  const [lost, setLost] = useState<string | null>(null)
  const [asks, setAsks] = useState(false)
  const closable = (props.closable ?? true) && waiting === 0
  // Where it mounts open, Mantine would leave out its transition.
  const [mounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!opened) return
    const giveBack = rememberFocus()
    return () => giveBack(content.current)
  }, [opened])
  const close = () => {
    const wouldLose = lostByClosing(around)
    if (wouldLose === null) return onClose()
    setLost(wouldLose)
    setAsks(true)
  }
  useEscape(opened && closable, opened, close)
  return (
    <MantineScope>
      <Modal.Root
        opened={opened && mounted}
        onClose={close}
        centered
        closeOnClickOutside={closable}
        closeOnEscape={false}
        returnFocus={false}
        classNames={{ inner: styles.inner ?? '', content: styles.content ?? '', body: styles.body ?? '' }}
      >
        <Modal.Overlay backgroundOpacity={0.6} color="#0c0908" />
        <Modal.Content ref={content}>
          <Inside title={title} closable={closable}>
            <DialogContext value={around}>{children}</DialogContext>
          </Inside>
        </Modal.Content>
      </Modal.Root>
      {lost !== null && (
        <DialogWindow opened={opened && asks} onClose={() => setAsks(false)} title={discardTexts.title}>
          <div className={questionStyles.text}>{lost}</div>
          <div className={questionStyles.actions}>
            <Button
              variant="default"
              onClick={() => {
                setAsks(false)
                onClose()
              }}
            >
              {discardTexts.discard}
            </Button>
            <Button onClick={() => setAsks(false)}>{discardTexts.keepEditing}</Button>
          </div>
        </DialogWindow>
      )}
    </MantineScope>
  )
}

type InsideProps = { title: string; closable: boolean; children: ReactNode }

/** What the window shows; begins with the first field of its form. */
function Inside({ title, closable, children }: InsideProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (body.current && heading.current) return focusFirstField(body.current, heading.current)
  }, [])
  return (
    <>
      <div className={styles.header}>
        <Modal.Title ref={heading} tabIndex={-1} className={styles.title ?? ''}>
          {title}
        </Modal.Title>
        {closable && <Modal.CloseButton size="lg" aria-label={dialogTexts.close} />}
      </div>
      <Modal.Body ref={body}>{children}</Modal.Body>
    </>
  )
}

/** Closes the topmost of the open dialogs by Escape, and no other: Mantine's own would close them all. */
function useEscape(closable: boolean, opened: boolean, close: () => void): void {
  const closeNow = useEffectEvent(() => {
    if (closable) close()
  })
  useEffect(() => {
    if (!opened) return
    const closes = () => closeNow()
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || topmostDialog() !== closes) return
      // A list that is open in a field takes the key for itself.
      const isTaken =
        event.target instanceof Element && event.target.matches('[data-mantine-stop-propagation="true"]')
      if (isTaken) return
      // One below would be the topmost by the time it gets the event.
      event.stopImmediatePropagation()
      closes()
    }
    const unregister = registerDialog(closes)
    addEventListener('keydown', hear, { capture: true })
    return () => {
      unregister()
      removeEventListener('keydown', hear, { capture: true })
    }
  }, [opened])
}
