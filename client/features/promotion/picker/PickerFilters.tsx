import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { statusLabel } from '../parts/label-texts.ts'
import { useForum } from '../parts/use-forum.ts'
import { ForumSearch } from './ForumSearch.tsx'
import { activeCount, MAX_SEARCH, type PickerFiltersProps, STATUSES } from './filter.ts'
import styles from './picker.module.css'
import { pickerTexts, filterTexts as texts } from './texts.ts'

const MoreFilters = lazyPart(() => import('./MoreFilters.tsx').then((module) => module.MoreFilters))

/** Search and, of tracked subreddits, status, rules, tags in and out, and lists that are left out. */
export function PickerFilters({ filter, onChange }: PickerFiltersProps) {
  const [open, setOpen] = useState(false)
  const rest = useId()
  const { name: forum } = useForum()
  const active = activeCount(filter)
  const needed = useLatch(open)
  return (
    <search className={styles.filters} aria-label={texts.label}>
      {filter.among === 'all' ? (
        <ForumSearch forum={forum} search={filter.search} onSearch={(search) => onChange({ search })} />
      ) : (
        <>
          <SearchBox
            label={pickerTexts.search}
            placeholder={pickerTexts.searchTracked}
            maxLength={MAX_SEARCH}
            value={filter.search}
            onChange={(search) => onChange({ search }, { replace: filter.search !== '' })}
          />
          <FilterButtons
            label={texts.status}
            choices={[
              { value: 'any', label: texts.statuses.any },
              ...STATUSES.map((value) => ({
                value,
                label: value === 'none' ? texts.statuses.none : statusLabel[value],
              })),
            ]}
            value={filter.status ?? 'any'}
            onChange={(value) => onChange({ status: STATUSES.find((one) => one === value) ?? null })}
          />
          <div>
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}
              aria-expanded={open}
              aria-controls={rest}
              onClick={() => setOpen(!open)}
            >
              {texts.button(active)}
            </Button>
          </div>
          <div id={rest} className={styles.rest} hidden={!open}>
            {needed && <MoreFilters filter={filter} onChange={onChange} />}
          </div>
        </>
      )}
    </search>
  )
}
