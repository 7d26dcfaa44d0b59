import { SelectField } from '../../../ui/fields/SelectField.tsx'

type AnswerFieldProps<Value extends string> = {
  label: string
  /** The names of the answers, in the order in which they are offered. */
  labels: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

/** One of a few known answers, as the keys of their labels. */
export function AnswerField<Value extends string>({
  label,
  labels,
  value,
  onChange,
}: AnswerFieldProps<Value>) {
  const isKnown = (key: string): key is Value => Object.hasOwn(labels, key)
  const values = Object.keys(labels).filter(isKnown)
  return (
    <SelectField
      label={label}
      value={value}
      choices={values.map((key) => ({ value: key, label: labels[key] }))}
      onChange={(key) => isKnown(key) && onChange(key)}
    />
  )
}
