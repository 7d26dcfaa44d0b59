import type { FieldProps } from './fields/Field.tsx'
import { reasonTexts as texts } from './occasional-texts.ts'
import { TextAreaField } from './TextAreaField.tsx'

/** Why an operator decides so; it stays in the audit log. */
export function ReasonField({
  label = texts.label,
  ...field
}: Omit<FieldProps, 'label' | 'readOnly'> & { label?: string }) {
  return <TextAreaField {...field} label={label} description={texts.hint} required minRows={2} maxRows={6} />
}
