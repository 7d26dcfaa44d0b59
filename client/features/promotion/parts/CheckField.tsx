import styles from './CheckField.module.css'

type CheckFieldProps = { label: string; hint: string; checked: boolean; onChange: (checked: boolean) => void }

/** A switch with what it does below its name. */
export function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        <span className={styles.hint}>{hint}</span>
      </span>
    </label>
  )
}
