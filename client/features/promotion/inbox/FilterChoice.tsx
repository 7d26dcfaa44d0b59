import { useState } from 'react'
import styles from './inbox.module.css'

type FilterChoiceProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** It shows something else, instead of narrowing what is shown. */
  isSwitch?: boolean
}

/** A filter that is on or off; it shows so at once, though the address follows a moment later. */
export function FilterChoice({ label, checked, onChange, isSwitch = false }: FilterChoiceProps) {
  const [shown, setShown] = useState(checked)
  const [seen, setSeen] = useState(checked)
  if (checked !== seen) {
    setSeen(checked)
    setShown(checked)
  }
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        {...(isSwitch ? { role: 'switch', 'aria-checked': shown, className: styles.switch } : {})}
        checked={shown}
        onChange={(event) => {
          setShown(event.currentTarget.checked)
          onChange(event.currentTarget.checked)
        }}
      />
      {label}
    </label>
  )
}
