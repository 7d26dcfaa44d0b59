import { IconChevronLeft, IconChevronRight, IconSelector } from '@tabler/icons-react'
import { useState } from 'react'
import { store } from '../../../lib/storage.ts'
import { Strip } from '../../../ui/Strip.tsx'
import type { Tag } from '../tags/use-tags.ts'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

/** Set while the person wants no suggestions. */
const HIDDEN_KEY = 'hideSuggestedTags'

type TagChipsProps = {
  tags: readonly Tag[]
  chosen: readonly string[]
  onToggle: (tagId: string) => void
  /** Opens the field with all tags, where it isn’t in sight beside these. */
  onMore?: (() => void) | undefined
}

/** Tags that are much used (docs/product.md, Limits: 15 at most), each switched on and off by a tap; those that aren’t chosen can be hidden. */
export function TagChips({ tags, chosen, onToggle, onMore }: TagChipsProps) {
  const [hidden, setHidden] = useState(() => store.getItem(HIDDEN_KEY) === 'true')
  const change = (next: boolean) => {
    setHidden(next)
    if (next) store.setItem(HIDDEN_KEY, 'true')
    else store.removeItem(HIDDEN_KEY)
  }
  const Arrow = hidden ? IconChevronRight : IconChevronLeft
  return (
    <div className={styles.suggested}>
      <Strip className={styles.chips} label={texts.suggestedTags}>
        <li>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={!hidden}
            onClick={() => change(!hidden)}
          >
            {hidden ? texts.showTags : texts.hideTags}
            <Arrow size={16} stroke={1.75} aria-hidden />
          </button>
        </li>
        {onMore && (
          <li>
            <button type="button" className={styles.chip} onClick={onMore}>
              {texts.filterByTags}
              <IconSelector size={16} stroke={1.75} aria-hidden />
            </button>
          </li>
        )}
        {/* Active filters stay visible. */}
        {tags
          .filter(({ _id }) => !hidden || chosen.includes(_id))
          .map(({ _id, name }) => (
            <li key={_id}>
              <button
                type="button"
                className={styles.chip}
                aria-pressed={chosen.includes(_id)}
                onClick={() => onToggle(_id)}
              >
                {name}
              </button>
            </li>
          ))}
      </Strip>
    </div>
  )
}
