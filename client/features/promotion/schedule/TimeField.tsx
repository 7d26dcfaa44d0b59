import type { WallTime } from '../../../../contract/wall-time.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { formatTime } from '../../../ui/format.ts'
import { formatExactTime } from '../../../ui/format-occasional.ts'
import type { useZonedTime } from '../../../ui/zoned-time.ts'
import { timeTexts as texts } from './texts.ts'

type TimeFieldProps = {
  zone: ReturnType<typeof useZonedTime>
  /** As a clock on the wall has it, and whether the second moment of a time that comes twice is meant. */
  wall: WallTime
  isSecond: boolean
  error: string | undefined
  onChange: (wall: WallTime, isSecond: boolean) => void
}

/** Date and time at which something goes up; of a time that comes twice, when the clock is set back, which one. */
export function TimeField({ zone, wall, isSecond, error, onChange }: TimeFieldProps) {
  const [first, second] = zone.toMoments(wall)
  return (
    <>
      <TextInput
        type="datetime-local"
        label={texts.label}
        description={texts.hint(zone.timeZone.replaceAll('_', ' '))}
        value={wall}
        min={zone.toWall(serverNow())}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value, false)}
      />
      {first && second && (
        <ChoiceField
          label={texts.which(formatTime(first))}
          choices={[
            { value: 'first', label: formatExactTime(first), description: texts.first },
            { value: 'second', label: formatExactTime(second), description: texts.second },
          ]}
          value={isSecond ? 'second' : 'first'}
          onChange={(value) => onChange(wall, value === 'second')}
        />
      )}
    </>
  )
}
