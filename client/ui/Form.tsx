import type { FormEvent, ReactNode, Ref } from 'react'
import styles from './Form.module.css'

type FormProps = {
  onSubmit: () => void
  /** The form's name if its fields alone don't say it. */
  label?: string
  ref?: Ref<HTMLFormElement>
  className?: string | undefined
  children: ReactNode
}

/** A form that our own code sends: fields in one column, checked by us so that every text stands at its field. */
export function Form({ onSubmit, label, ref, className, children }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A dialog stands within the form of its page for React, though not in the document.
    event.stopPropagation()
    onSubmit()
  }
  return (
    <form ref={ref} className={className ?? styles.form} aria-label={label} onSubmit={submit} noValidate>
      {children}
    </form>
  )
}

/** Two fields side by side where there is room. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
