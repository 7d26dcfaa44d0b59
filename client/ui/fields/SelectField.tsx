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
}

/** One of many: the browser's own list, which a phone shows in its own way. */
export function SelectField({ label, description, value, onChange, choices }: SelectFieldProps) {
  const id = useId()
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
          aria-describedby={description ? `${id}-hint` : undefined}
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
    </div>
  )
}
