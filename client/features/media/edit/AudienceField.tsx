import { NativeSelect } from '@mantine/core'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { editTexts } from './texts.ts'
import { AUDIENCES, type Audience } from './words.ts'

type AudienceFieldProps = {
  label?: string
  /** Null while none of the common ways is chosen. */
  value: Audience | null
  onChange: (audience: Audience) => void
  error?: string | undefined
  /** One line high, where several items stand below one another; `none` is what it says of null. */
  compact?: { none: string }
}

/** The audience of an item, as one of the common choices; its flags say everything else. */
export function AudienceField({
  label = editTexts.who,
  value,
  onChange,
  error,
  compact,
}: AudienceFieldProps) {
  if (!compact)
    return <ChoiceField label={label} choices={AUDIENCES} value={value} onChange={onChange} error={error} />
  return (
    <NativeSelect
      label={label}
      size="md"
      value={value ?? ''}
      error={error ?? null}
      onChange={(event) => {
        const found = AUDIENCES.find((one) => one.value === event.currentTarget.value)
        if (found) onChange(found.value)
      }}
      data={[
        ...(value === null ? [{ value: '', label: compact.none }] : []),
        ...AUDIENCES.map((one) => ({ value: one.value, label: one.label })),
      ]}
    />
  )
}
