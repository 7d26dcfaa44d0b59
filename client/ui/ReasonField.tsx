import type { FieldProps } from './fields/Field.tsx'
import { TextAreaField } from './TextAreaField.tsx'
import { dialogTexts } from './texts.ts'

/** Why an operator decides so; it stays in the audit log. */
export function ReasonField({
  label = dialogTexts.reason,
  ...field
}: Omit<FieldProps, 'label' | 'readOnly'> & { label?: string }) {
  return (
    <TextAreaField
      {...field}
      label={label}
      description={dialogTexts.reasonHint}
      required
      minRows={2}
      maxRows={6}
    />
  )
}
