import type { FeedFilter } from '../api.ts'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

type FeedFiltersProps = { chosen: FeedFilter; onChoose: (change: Partial<FeedFilter>) => void }

const SORTS = ['new', 'popular'] as const
const TYPES = [null, 'image', 'video'] as const

/** The order of the feed, and whether photos or videos alone are shown. */
export function FeedFilters({ chosen, onChoose }: FeedFiltersProps) {
  return (
    <div className={styles.filters}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no flex box in every browser. */}
      <div role="group" className={styles.choice} aria-label={texts.sortBy}>
        {SORTS.map((sort) => (
          <button
            key={sort}
            type="button"
            aria-pressed={chosen.sort === sort}
            onClick={() => onChoose({ sort })}
          >
            {texts.sorts[sort]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="group" className={styles.choice} aria-label={texts.show}>
        {TYPES.map((type) => (
          <button
            key={type ?? 'all'}
            type="button"
            aria-pressed={chosen.type === type}
            onClick={() => onChoose({ type })}
          >
            {texts.types[type ?? 'all']}
          </button>
        ))}
      </div>
    </div>
  )
}
