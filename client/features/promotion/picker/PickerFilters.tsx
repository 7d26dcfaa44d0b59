import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { listsQuery } from '../lists/api.ts'
import { statusLabel, verificationLabel } from '../parts/words.ts'
import { tagsQuery } from '../subreddits/api.ts'
import {
  activeCount,
  MAX_SEARCH,
  type PickerFilter,
  STATUSES,
  VERIFICATIONS,
  withTagTurned,
} from './filter.ts'
import styles from './picker.module.css'
import { pickerTexts, filterTexts as texts } from './texts.ts'

const ListsDialog = lazyPart(() => import('../lists/ListsDialog.tsx').then((module) => module.ListsDialog))

type PickerFiltersProps = {
  filter: PickerFilter
  /** Takes what changes of it. `replace`: going back skips the filter that was there before. */
  onChange: (change: Partial<PickerFilter>, options?: { replace?: boolean }) => void
}

/** Search and, of tracked subreddits, status, rules, tags in and out, and lists that are left out. */
export function PickerFilters({ filter, onChange }: PickerFiltersProps) {
  const [open, setOpen] = useState(false)
  const rest = useId()
  const isTracked = filter.among === 'tracked'
  const active = activeCount(filter)
  return (
    <search className={styles.filters} aria-label={texts.label}>
      <SearchBox
        label={pickerTexts.search}
        placeholder={isTracked ? pickerTexts.searchTracked : pickerTexts.searchAll}
        maxLength={MAX_SEARCH}
        value={filter.search}
        onChange={(search) => onChange({ search }, { replace: filter.search !== '' })}
      />
      {isTracked && (
        <>
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
            <SelectField
              label={texts.verification}
              value={filter.verification ?? ''}
              choices={[
                { value: '', label: texts.anyVerification },
                ...VERIFICATIONS.map((value) => ({ value, label: verificationLabel[value] })),
              ]}
              onChange={(value) =>
                onChange({ verification: VERIFICATIONS.find((one) => one === value) ?? null })
              }
            />
            <Tags filter={filter} onChange={onChange} />
            <Lists filter={filter} onChange={onChange} />
            {active > 0 && (
              <div>
                <Button
                  variant="subtle"
                  size="compact-md"
                  onClick={() =>
                    onChange({ verification: null, withTags: [], withoutTags: [], withoutLists: [] })
                  }
                >
                  {texts.clear}
                </Button>
              </div>
            )}
          </div>
        </>
      )}
    </search>
  )
}

function Tags({ filter, onChange }: PickerFiltersProps) {
  const tags = useQuery(tagsQuery).data?.items ?? []
  return (
    <fieldset className={styles.group}>
      <legend>{texts.tags}</legend>
      <p className={styles.quiet}>{texts.tagsHint}</p>
      <div className={styles.chips}>
        {tags.map(({ _id, name }) => {
          const isIn = filter.withTags.includes(_id)
          const isOut = filter.withoutTags.includes(_id)
          return (
            <button
              key={_id}
              type="button"
              className={styles.chip}
              data-out={isOut || undefined}
              aria-pressed={isIn ? true : isOut ? 'mixed' : false}
              aria-label={isIn ? texts.required(name) : isOut ? texts.excluded(name) : name}
              onClick={() => onChange(withTagTurned(filter, _id))}
            >
              {name}
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}

function Lists({ filter, onChange }: PickerFiltersProps) {
  const lists = useQuery(listsQuery).data?.items
  const [viewing, setViewing] = useState(false)
  const needed = useLatch(viewing)
  return (
    <fieldset className={styles.group}>
      <legend>{texts.lists}</legend>
      {lists?.length === 0 && <p className={styles.quiet}>{texts.noLists}</p>}
      <div className={styles.chips}>
        {lists?.map(({ _id, title }) => {
          const isOut = filter.withoutLists.includes(_id)
          const others = filter.withoutLists.filter((one) => one !== _id)
          return (
            <button
              key={_id}
              type="button"
              className={styles.chip}
              aria-pressed={isOut}
              onClick={() => onChange({ withoutLists: isOut ? others : [...others, _id] })}
            >
              {title}
            </button>
          )
        })}
        <Button variant="default" size="sm" onClick={() => setViewing(true)}>
          {texts.viewLists}
        </Button>
      </div>
      {needed && <ListsDialog opened={viewing} onClose={() => setViewing(false)} />}
    </fieldset>
  )
}
