import { type ReactNode, useId } from 'react'
import styles from './FieldGroup.module.css'

type FieldGroupProps = {
  legend: string
  /** The group's error, shown below and read out with the group, which can take the focus then. */
  error?: string | null | undefined
  children: ReactNode
}

/** Several controls that together are one field, such as pictures to choose from. */
export function FieldGroup({ legend, error, children }: FieldGroupProps) {
  const errorId = useId()
  return (
    <fieldset
      className={styles.group}
      {...(error ? { tabIndex: -1, 'aria-invalid': true, 'aria-describedby': errorId } : {})}
    >
      <legend>{legend}</legend>
      {children}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
