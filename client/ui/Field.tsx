import '@mantine/core/styles/PasswordInput.css'
import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { FocusEvent, HTMLInputAutoCompleteAttribute, InputHTMLAttributes } from 'react'

type FieldProps = {
  label: string
  name?: string
  value: string
  onChange: (value: string) => void
  /** What is wrong with it, shown at the field and read out with it. */
  error?: string | undefined
  description?: string
  required?: boolean
  readOnly?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  onBlur?: (event: FocusEvent) => void
}

type TextFieldProps = FieldProps & {
  type?: 'text' | 'email' | 'search'
  /** A fixed beginning, such as `/u/`. */
  prefix?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
}

/** One line of text with its label, its hint and its own error. */
export function TextField({ onChange, prefix, error, ...field }: TextFieldProps) {
  return (
    <TextInput
      {...field}
      withAsterisk={false}
      error={error ?? null}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(field.readOnly ? { variant: 'filled' } : {})}
      {...(field.type === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {})}
      {...(prefix
        ? { leftSection: <span aria-hidden>{prefix}</span>, leftSectionPointerEvents: 'none' }
        : {})}
    />
  )
}

/** A password that can be looked at. */
export function PasswordField({ onChange, error, ...field }: FieldProps) {
  return (
    <PasswordInput
      {...field}
      // Mantine says it of all inputs but this one.
      aria-invalid={error ? true : undefined}
      withAsterisk={false}
      error={error ?? null}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
    />
  )
}

type TextAreaProps = Omit<FieldProps, 'readOnly'> & { minRows?: number; maxRows?: number; maxLength?: number }

/** Several lines of text, as high as what is typed. */
export function TextAreaField({ onChange, error, minRows = 3, maxRows = 12, ...field }: TextAreaProps) {
  return (
    <Textarea
      {...field}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      withAsterisk={false}
      error={error ?? null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
