import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { verificationLabel } from '../parts/label-texts.ts'
import {
  activeCount,
  CHOICE_NAMES,
  CHOICES,
  type ChoiceName,
  MAX_SEARCH,
  type SubredditFilter,
} from './filter.ts'
import styles from './filters.module.css'
import { TagChoice } from './TagChoice.tsx'
import { filterTexts as texts } from './texts.ts'

/** The names of each filter's answers. */
const LABELS: Readonly<Record<ChoiceName, Readonly<Record<string, string>>>> = {
  verificationSetting: verificationLabel,
  sellingAccountsAllowed: texts.yesOrNo,
  ocSettings: texts.oc,
  boyAndGirlRequired: texts.yesOrNo,
  couplesOnly: texts.yesOrNo,
  malesAllowed: texts.answers,
  womenOnly: texts.answers,
  categorized: texts.categorized,
}

type SubredditFiltersProps = {
  filter: SubredditFilter
  /** Takes what changes of it. `replace`: going back skips the filter that was there before. */
  onChange: (change: Partial<SubredditFilter>, options?: { replace: boolean }) => void
  onClear: () => void
}

/** Search and filters of the table; on a phone the filters open under the search. */
export function SubredditFilters({ filter, onChange, onClear }: SubredditFiltersProps) {
  const [open, setOpen] = useState(false)
  const rest = useId()
  const active = activeCount(filter)
  return (
    <search className={styles.filters} aria-label={texts.label}>
      <SearchBox
        className={styles.search}
        label={texts.search}
        placeholder={texts.searchHint}
        maxLength={MAX_SEARCH}
        value={filter.search}
        onChange={(search) => onChange({ search }, { replace: filter.search !== '' })}
      />
      <Button
        className={styles.more}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}
        aria-expanded={open}
        aria-controls={rest}
        onClick={() => setOpen(!open)}
      >
        {texts.button(active)}
      </Button>
      <div id={rest} className={styles.rest} data-open={open || undefined}>
        <div className={styles.choices}>
          {CHOICE_NAMES.map((name) => (
            <SelectField
              key={name}
              label={texts.names[name]}
              value={filter[name] ?? ''}
              choices={[
                { value: '', label: name === 'categorized' ? texts.none : texts.any },
                ...CHOICES[name].map((value) => ({ value, label: LABELS[name][value] ?? value })),
              ]}
              onChange={(value) =>
                onChange({ [name]: CHOICES[name].find((answer) => answer === value) ?? null })
              }
            />
          ))}
        </div>
        <TagChoice value={filter.srTagIds} onChange={(srTagIds) => onChange({ srTagIds })} />
        {active > 0 && (
          <div>
            <Button variant="subtle" size="compact-md" onClick={onClear}>
              {texts.clear}
            </Button>
          </div>
        )}
      </div>
    </search>
  )
}
