import { IconChevronDown } from '@tabler/icons-react'
import { useId } from 'react'
import styles from './SelectField.module.css'
import field from './TextInput.module.css'

type SelectFieldProps = {
  label: string
  description?: string | undefined
  value: string
  onChange: (value: string) => void
  choices: readonly { value: string; label: string }[]
  /** The error, shown at the field and read out with it. */
  error?: string | undefined
}

/** One of many: the browser's own list, which a phone shows in its own way. */
export function SelectField({ label, description, value, onChange, choices, error }: SelectFieldProps) {
  const id = useId()
  const described = [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      {description && (
        <p id={`${id}-hint`} className={field.description}>
          {description}
        </p>
      )}
      <div className={field.control}>
        <select
          id={id}
          className={styles.select}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <span className={styles.arrow}>
          <IconChevronDown size={18} stroke={1.75} aria-hidden />
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} className={field.error}>
          {error}
        </p>
      )}
    </div>
  )
}
