import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import type { FeedFilter } from './api.ts'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

type FeedFiltersProps = { chosen: FeedFilter; onChoose: (change: Partial<FeedFilter>) => void }

const SORTS = ['new', 'popular'] as const
const TYPES = ['all', 'image', 'video'] as const

/** The order of the feed, and whether photos or videos alone are shown. */
export function FeedFilters({ chosen, onChoose }: FeedFiltersProps) {
  return (
    <div className={styles.filters}>
      <FilterButtons
        label={texts.sortBy}
        choices={SORTS.map((value) => ({ value, label: texts.sorts[value] }))}
        value={chosen.sort}
        onChange={(sort) => onChoose({ sort })}
      />
      <FilterButtons
        label={texts.show}
        choices={TYPES.map((value) => ({ value, label: texts.types[value] }))}
        value={chosen.type ?? 'all'}
        onChange={(type) => onChoose({ type: type === 'all' ? null : type })}
      />
    </div>
  )
}
