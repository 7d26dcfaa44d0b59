import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { LAST_DAY } from '../../../contract/wall-time.ts'
import styles from './TextInput.module.css'

type TextInputProps = Omit<ComponentProps<'input'>, 'className'> & {
  label?: string
  description?: string | undefined
  /** The error, shown at the field and read out with it. */
  error?: string | undefined
  leftSection?: ReactNode
  rightSection?: ReactNode
  className?: string | undefined
}

/** Without a last day, browsers take years of six digits. */
const LAST: Record<string, string> = { date: LAST_DAY, 'datetime-local': `${LAST_DAY}T23:59` }

/** One line of text: the browser's own field with its label, its hint and its error. */
export function TextInput({
  label,
  description,
  error,
  leftSection,
  rightSection,
  className,
  ...input
}: TextInputProps) {
  const own = useId()
  const id = input.id ?? own
  const described = [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      {label && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      {description && (
        <p id={`${id}-hint`} className={styles.description}>
          {description}
        </p>
      )}
      <div className={styles.control}>
        {leftSection && <span className={styles.left}>{leftSection}</span>}
        <input
          max={LAST[input.type ?? '']}
          {...input}
          id={id}
          className={styles.input}
          data-left={leftSection ? true : undefined}
          data-right={rightSection ? true : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {rightSection && <span className={styles.right}>{rightSection}</span>}
      </div>
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The field keeps the focus when such a button is pressed. */
const outOfTabOrder = {
  tabIndex: -1,
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
}

type InsideButtonProps = {
  label: string
  pressed?: boolean
  /** Keys that do the same from the field, as `aria-keyshortcuts` writes them: Tab then goes on to the next field. */
  keys?: string
  onClick: () => void
  children: ReactNode
}

/** A button within a field, such as the one that empties it. */
export function InsideButton({ label, pressed, keys, onClick, children }: InsideButtonProps) {
  return (
    <button
      type="button"
      className={styles.inside}
      aria-label={label}
      aria-pressed={pressed}
      {...(keys ? { ...outOfTabOrder, title: `${label} (${keys})`, 'aria-keyshortcuts': keys } : {})}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
