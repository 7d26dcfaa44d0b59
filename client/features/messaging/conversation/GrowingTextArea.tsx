import { type ClipboardEvent, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react'
import { typesOnScreen } from '../../../ui/focus.ts'
import styles from './Composer.module.css'

/** Whether the key sends: Enter does, but not with Shift, nor on a phone, nor while a character is being composed. */
export function sendsByEnter(event: KeyboardEvent): boolean {
  const { key, shiftKey, nativeEvent, keyCode } = event
  // In Safari the composition is over by then, and the code alone says that the key ended it.
  const composes = nativeEvent.isComposing || keyCode === 229
  return key === 'Enter' && !shiftKey && !composes && !typesOnScreen()
}

/** Focuses the field behind what is in it: of itself a browser begins before it. */
export function focusAtEnd(field: HTMLTextAreaElement | null, options?: FocusOptions): void {
  field?.focus(options)
  field?.setSelectionRange(field.value.length, field.value.length)
}

type GrowingTextAreaProps = {
  fieldRef: RefObject<HTMLTextAreaElement | null>
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent) => void
}

/** A field as high as what is typed, up to a few lines; its label is only read out. */
export function GrowingTextArea({ fieldRef, label, onChange, value, ...field }: GrowingTextAreaProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows from what is in it.
  useLayoutEffect(() => {
    const element = fieldRef.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight + 2}px`
  }, [value, fieldRef])
  return (
    <textarea
      {...field}
      ref={fieldRef}
      rows={1}
      className={styles.field}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
