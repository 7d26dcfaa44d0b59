import styles from './inbox.module.css'

type FilterChoiceProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** It shows something else, instead of narrowing what is shown. */
  isSwitch?: boolean
}

/** A filter that is on or off. */
export function FilterChoice({ label, checked, onChange, isSwitch = false }: FilterChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        {...(isSwitch ? { role: 'switch', 'aria-checked': checked, className: styles.switch } : {})}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
