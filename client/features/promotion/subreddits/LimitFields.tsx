import { TextField } from '../../../ui/fields/Field.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import type { Limit, SubredditFormState } from './form.ts'
import styles from './subreddits.module.css'
import { fieldTexts, subredditTexts as texts } from './texts.ts'

type LimitFieldsProps = { form: SubredditFormState; limit: Limit; label: string }

/** At most so many posts every so many hours or days; all three, or none for no limit. */
export function LimitFields({ form, limit, label }: LimitFieldsProps) {
  const unit = form.field(`${limit}IntervalUnit`)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no grid in every browser.
    <div role="group" aria-label={label}>
      <p className={styles.legend}>{label}</p>
      <p className={styles.quiet}>{texts.limitHint}</p>
      <div className={styles.limit}>
        <TextField label={texts.maxPosts} inputMode="numeric" {...form.field(`${limit}MaxPosts`)} />
        <div className={styles.interval}>
          <TextField label={texts.every} inputMode="numeric" {...form.field(`${limit}IntervalAmount`)} />
          <SelectField
            label={texts.unit}
            value={unit.value}
            choices={[
              { value: '', label: texts.chooseUnit },
              { value: 'hours', label: fieldTexts.units.hours },
              { value: 'days', label: fieldTexts.units.days },
            ]}
            onChange={(value) => unit.onChange(value === 'hours' || value === 'days' ? value : '')}
            error={unit.error}
          />
        </div>
      </div>
    </div>
  )
}
