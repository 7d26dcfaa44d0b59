import { serverNow } from '../../../lib/server-clock.ts'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { dayOf } from '../../../ui/format.ts'
import styles from './earnings.module.css'
import { askedOf, PERIODS, type Period, periodOf } from './period.ts'
import { earningsTexts as texts } from './texts.ts'

const CHOICES = PERIODS.map((name) => ({
  value: name,
  label: name === 'custom' ? texts.custom : texts.days(Number(name)),
}))

/** When posts went up that are looked at: some days until today, or between two days of one’s choice. */
export function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const today = dayOf(serverNow())
  return (
    <div className={styles.period}>
      <SelectField
        label={texts.period}
        value={value.name}
        onChange={(chosen) => {
          const name = PERIODS.find((one) => one === chosen) ?? '90'
          // Chosen days begin as those that were looked at.
          onChange(name === 'custom' ? { ...value, name } : periodOf(name, today))
        }}
        choices={CHOICES}
      />
      {value.name === 'custom' && (
        <>
          <TextInput
            type="date"
            label={texts.from}
            value={value.first}
            max={today}
            onChange={({ currentTarget }) => onChange({ ...value, first: currentTarget.value })}
          />
          <TextInput
            type="date"
            label={texts.to}
            value={value.last}
            max={today}
            error={askedOf(value) ? undefined : texts.backwards}
            onChange={({ currentTarget }) => onChange({ ...value, last: currentTarget.value })}
          />
        </>
      )}
    </div>
  )
}
