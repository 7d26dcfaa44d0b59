import { useEffect, useRef } from 'react'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import { MAX_FILTER_TAGS } from './address.ts'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

type TagFilterProps = {
  chosen: readonly string[]
  onChange: (tagIds: string[]) => void
  /** It was asked for by a tap: its field takes the focus. */
  focused: boolean
}

/** Any tag there is, found by typing; several can be chosen. */
export function TagFilter({ chosen, onChange, focused }: TagFilterProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) box.current?.querySelector('input')?.focus()
  }, [focused])
  return (
    <div ref={box} className={styles.opened}>
      <MantineScope>
        <TagSelect
          label={texts.tags}
          placeholder={texts.filterByTags}
          value={chosen}
          onChange={onChange}
          max={MAX_FILTER_TAGS}
        />
      </MantineScope>
    </div>
  )
}
