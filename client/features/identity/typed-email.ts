/** The address that was typed in this visit, so that no form asks for it a second time. It is kept by the page alone. */
let typed = ''

export const typedEmail = (): string => typed

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
