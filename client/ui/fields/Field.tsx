import { IconEye, IconEyeOff } from '@tabler/icons-react'
import {
  type FocusEvent,
  type HTMLInputAutoCompleteAttribute,
  type InputHTMLAttributes,
  useState,
} from 'react'
import { InsideButton, TextInput } from './TextInput.tsx'
import { fieldTexts } from './texts.ts'

export type FieldProps = {
  label: string
  name?: string
  value: string
  onChange: (value: string) => void
  /** The error, shown at the field and read out with it. */
  error?: string | undefined
  description?: string
  required?: boolean
  readOnly?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  onBlur?: (event: FocusEvent) => void
}

type TextFieldProps = FieldProps & {
  type?: 'text' | 'email' | 'search' | 'date'
  /** The first and the last day of a date, as `2026-11-21`. */
  min?: string
  max?: string
  /** A fixed beginning, such as `/u/`. */
  prefix?: string
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
}

/** One line of text with its label, its hint and its own error. */
export function TextField({ onChange, prefix, ...field }: TextFieldProps) {
  return (
    <TextInput
      {...field}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(field.type === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {})}
      {...(prefix ? { leftSection: <span aria-hidden>{prefix}</span> } : {})}
    />
  )
}

/** Edge shows a password by these keys as well. */
const SHOW_KEYS = 'Alt+F8'

type PasswordFieldProps = FieldProps & { onShown?: (shown: boolean) => void }

/** A password that can be looked at: by the eye, which Tab passes by on its way to the next field, or by Alt+F8. */
export function PasswordField({ onChange, onShown, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? IconEyeOff : IconEye
  const toggle = () => {
    setShown(!shown)
    onShown?.(!shown)
  }
  return (
    <TextInput
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (!event.altKey || event.key !== 'F8') return
        event.preventDefault()
        toggle()
      }}
      rightSection={
        <InsideButton label={fieldTexts.showPassword} pressed={shown} keys={SHOW_KEYS} onClick={toggle}>
          <Icon size={20} stroke={1.5} aria-hidden />
        </InsideButton>
      }
    />
  )
}
