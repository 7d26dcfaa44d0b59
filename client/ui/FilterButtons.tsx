import styles from './FilterButtons.module.css'

type FilterButtonsProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  fullWidth?: boolean
}

/** How a list is narrowed or ordered: one of a few, each a button. */
export function FilterButtons<Value extends string>({
  label,
  choices,
  value,
  onChange,
  fullWidth,
}: FilterButtonsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no flex box in every browser.
    <div role="group" className={styles.filters} data-wide={fullWidth} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
