import type { FormEvent, ReactNode } from 'react'
import styles from './Form.module.css'

/** A form that our own code sends: fields in one column, checked by us so that every text stands at its field. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    onSubmit()
    // After the errors were drawn, the first field that has one is where the person goes on.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
    </form>
  )
}

/** Two fields side by side where there is room. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
