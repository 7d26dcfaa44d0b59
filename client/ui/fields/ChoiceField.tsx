import { useId } from 'react'
import styles from './ChoiceField.module.css'

type ChoiceFieldProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: string; description?: string }[]
  value: Value | null
  onChange: (value: Value) => void
  error?: string | undefined
}

/** One of a few answers, all of them in sight. */
export function ChoiceField<Value extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: ChoiceFieldProps<Value>) {
  const name = useId()
  const errorId = useId()
  return (
    <fieldset
      className={styles.field}
      aria-describedby={error ? errorId : undefined}
      data-invalid={error ? true : undefined}
    >
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              aria-invalid={error ? true : undefined}
              className={styles.radio}
            />
            <span>
              <span className={styles.label}>{choice.label}</span>
              {choice.description && <span className={styles.description}>{choice.description}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
