import { NativeSelect } from '@mantine/core'
import { SearchBox } from '../../../ui/SearchBox.tsx'
import type { PickerFilter } from '../api.ts'
import styles from './MediaPicker.module.css'

const TYPES = [
  { value: 'image', label: 'Pictures' },
  { value: 'video', label: 'Videos' },
  { value: 'embed', label: 'External gifs' },
] as const
/** Most characters of a search that the server takes. */
const MAX_SEARCH = 100

type PickerFiltersProps = {
  filter: PickerFilter
  /** Takes what changes of it. */
  onChange: (change: Partial<PickerFilter>) => void
}

/** Search and type of what is chosen from; what is selected stays so. */
export function PickerFilters({ filter, onChange }: PickerFiltersProps) {
  return (
    <search className={styles.filters} aria-label="Your media">
      <SearchBox
        label="Search"
        placeholder="Title, word or tag"
        maxLength={MAX_SEARCH}
        value={filter.search}
        onChange={(search) => onChange({ search })}
      />
      <NativeSelect
        size="md"
        label="Type"
        data={[{ value: '', label: 'All types' }, ...TYPES]}
        value={filter.type ?? ''}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          onChange({ type: TYPES.find(({ value }) => value === chosen)?.value ?? null })
        }}
      />
    </search>
  )
}
