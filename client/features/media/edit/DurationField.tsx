import '@mantine/core/styles/NumberInput.layer.css'
import { NumberInput } from '@mantine/core'
import { MAX_VIDEO_SECONDS } from '../../../../contract/constants.ts'

type DurationFieldProps = {
  label: string
  description?: string
  /** Seconds, with two decimals; null while it is not known. */
  value: number | null
  onChange: (seconds: number | null) => void
  error: string | undefined
}

/** How long a video is, in seconds. */
export function DurationField({ label, description, value, onChange, error }: DurationFieldProps) {
  return (
    <NumberInput
      label={label}
      description={description}
      value={value ?? ''}
      onChange={(seconds) => onChange(typeof seconds === 'number' ? seconds : null)}
      error={error ?? null}
      min={0}
      max={MAX_VIDEO_SECONDS}
      clampBehavior="strict"
      allowNegative={false}
      decimalScale={2}
      suffix=" s"
      hideControls
      inputMode="decimal"
    />
  )
}
