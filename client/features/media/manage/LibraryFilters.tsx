import { NativeSelect } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import { type LibraryFilter, MAX_FILTER_TAGS, MAX_SEARCH, TYPES, VISIBILITIES } from './filter.ts'
import styles from './LibraryFilters.module.css'
import { texts } from './texts.ts'

type LibraryFiltersProps = {
  filter: LibraryFilter
  /** Takes what changes of it. `replace`: going back skips the filter that was there before. */
  onChange: (change: Partial<LibraryFilter>, options?: { replace: boolean }) => void
  /** Shows who can see an item as a filter; for those who show anything to others. */
  withVisibility: boolean
}

/** Search and filters of the library; on a phone the filters open under the search. */
export function LibraryFilters({ filter, onChange, withVisibility }: LibraryFiltersProps) {
  const [open, setOpen] = useState(false)
  const rest = useId()
  const active = filter.tagIds.length + (filter.type ? 1 : 0) + (filter.visibility ? 1 : 0)
  return (
    <search className={styles.filters} aria-label={texts.yourMedia}>
      <SearchBox
        className={styles.search}
        label={texts.filters.search}
        placeholder={texts.filters.searchHint}
        maxLength={MAX_SEARCH}
        value={filter.search}
        onChange={(search) => onChange({ search }, { replace: filter.search !== '' })}
      />
      <Button
        className={styles.more ?? ''}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}
        aria-expanded={open}
        aria-controls={rest}
        onClick={() => setOpen(!open)}
      >
        {texts.filters.button(active)}
      </Button>
      <div id={rest} className={styles.rest} data-open={open || undefined}>
        <TagSelect
          label={texts.filters.tags}
          placeholder={texts.filters.anyTag}
          value={filter.tagIds}
          onChange={(tagIds) => onChange({ tagIds })}
          max={MAX_FILTER_TAGS}
        />
        <Choice
          label={texts.filters.type}
          none={texts.filters.allTypes}
          choices={TYPES}
          value={filter.type}
          onChange={(type) => onChange({ type })}
        />
        {withVisibility && (
          <Choice
            label={texts.filters.visibility}
            none={texts.filters.anyVisibility}
            choices={VISIBILITIES}
            value={filter.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
        )}
      </div>
    </search>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  none: string
  choices: readonly { value: Value; label: string }[]
  value: Value | null
  onChange: (value: Value | null) => void
}

function Choice<Value extends string>({ label, none, choices, value, onChange }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      size="md"
      label={label}
      data={[{ value: '', label: none }, ...choices]}
      value={value ?? ''}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        onChange(choices.find((one) => one.value === chosen)?.value ?? null)
      }}
    />
  )
}
