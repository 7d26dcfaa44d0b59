import type { ReactNode } from 'react'
import styles from './FilterButtons.module.css'

type FilterButtonsProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  /** Stands before the choices. */
  children?: ReactNode
}

/** What a list is narrowed to: one of a few, each a button. */
export function FilterButtons<Value extends string>({
  label,
  choices,
  value,
  onChange,
  children,
}: FilterButtonsProps<Value>) {
  return (
    <nav className={styles.filters} aria-label={label}>
      {children}
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.filter}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </nav>
  )
}
