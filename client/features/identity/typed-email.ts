import { useEffect } from 'react'
import { carries } from '../../lib/unsaved.ts'

/** The address that was typed in this visit, so that no form asks for it a second time. It is kept by the page alone. */
let typed = ''

/** The address that was typed before, for the fields of a page that asks for one and may lead to another that does. */
export function useTypedEmail(): string {
  useEffect(() => carries(() => typed !== ''), [])
  return typed
}

/** The field of an address, which remembers what is typed into it. */
export function rememberTyped<Field extends { onChange: (value: string) => void }>(field: Field): Field {
  return {
    ...field,
    onChange: (value: string) => {
      typed = value
      field.onChange(value)
    },
  }
}
