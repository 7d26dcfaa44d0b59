import { NativeSelect } from '@mantine/core'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import type { PickerFilter } from './api.ts'
import styles from './MediaPicker.module.css'
import { pickerTexts } from './texts.ts'

const TYPES = [
  { value: 'image', label: pickerTexts.photos },
  { value: 'video', label: pickerTexts.videos },
  { value: 'embed', label: pickerTexts.gifs },
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
    <search className={styles.filters} aria-label={pickerTexts.media}>
      <SearchBox
        label={pickerTexts.search}
        placeholder={pickerTexts.searchHint}
        maxLength={MAX_SEARCH}
        value={filter.search}
        onChange={(search) => onChange({ search })}
      />
      <NativeSelect
        size="md"
        label={pickerTexts.type}
        data={[{ value: '', label: pickerTexts.allTypes }, ...TYPES]}
        value={filter.type ?? ''}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          onChange({ type: TYPES.find(({ value }) => value === chosen)?.value ?? null })
        }}
      />
    </search>
  )
}
