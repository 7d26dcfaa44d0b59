import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { TagSelect } from '../tags/TagSelect.tsx'
import { type LibraryFilter, MAX_FILTER_TAGS, MAX_SEARCH, TYPES, VISIBILITIES } from './filter.ts'
import styles from './LibraryFilters.module.css'

const DEBOUNCE_MS = 250

type LibraryFiltersProps = {
  filter: LibraryFilter
  /** `replace`: going back skips the filter that was there before. */
  onChange: (filter: LibraryFilter, options?: { replace: boolean }) => void
  /** Shows who can see an item as a filter; for those who show anything to others. */
  withVisibility: boolean
}

/** Search and filters of the library; on a phone the filters open under the search. */
export function LibraryFilters({ filter, onChange, withVisibility }: LibraryFiltersProps) {
  const [open, setOpen] = useState(false)
  const rest = useId()
  const active = filter.tagIds.length + (filter.type ? 1 : 0) + (filter.visibility ? 1 : 0)
  return (
    <search className={styles.filters} aria-label="Your media">
      <SearchBox
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search }, { replace: filter.search !== '' })}
      />
      <Button
        className={styles.more ?? ''}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}
        aria-expanded={open}
        aria-controls={rest}
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <div id={rest} className={styles.rest} data-open={open || undefined}>
        <TagSelect
          label="Tags"
          placeholder="Any tag"
          value={filter.tagIds}
          onChange={(tagIds) => onChange({ ...filter, tagIds })}
          max={MAX_FILTER_TAGS}
        />
        <Choice
          label="Type"
          none="All types"
          choices={TYPES}
          value={filter.type}
          onChange={(type) => onChange({ ...filter, type })}
        />
        {withVisibility && (
          <Choice
            label="Visibility"
            none="Any visibility"
            choices={VISIBILITIES}
            value={filter.visibility}
            onChange={(visibility) => onChange({ ...filter, visibility })}
          />
        )}
      </div>
    </search>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  // The address changed by itself: by going back, or by taking the filters away.
  if (value !== told.current) {
    told.current = value
    setTyped(value)
  }
  const tell = useDebouncedCallback((text: string) => {
    const search = text.trim()
    if (search === told.current) return
    told.current = search
    onChange(search)
  }, DEBOUNCE_MS)
  return (
    <TextInput
      className={styles.search ?? ''}
      type="search"
      label="Search"
      placeholder="Title, description or tag"
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      maxLength={MAX_SEARCH}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
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
