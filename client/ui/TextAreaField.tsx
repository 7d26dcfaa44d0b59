import { Textarea } from '@mantine/core'
import type { FieldProps } from './fields/Field.tsx'

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
