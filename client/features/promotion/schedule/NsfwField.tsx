import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { nsfwTexts as texts } from './texts.ts'

type NsfwFieldProps = { value: boolean; onChange: (nsfw: boolean) => void }

/** Whether a post is marked NSFW on the forum. */
export function NsfwField({ value, onChange }: NsfwFieldProps) {
  return (
    <Checkbox
      label={texts.label}
      description={texts.hint}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
