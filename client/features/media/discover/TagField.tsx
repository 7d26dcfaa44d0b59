import { IconSelector } from '@tabler/icons-react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

const load = () => import('./TagFilter.tsx').then((module) => module.TagFilter)
// A failure to preload is shown only when the field is used.
const loadAhead = () => void load().catch(() => undefined)
const TagFilter = lazyPart(load, <ClosedField />)

type TagFieldProps = {
  chosen: readonly string[]
  onChange: (tagIds: string[]) => void
  opened: boolean
  onOpen: () => void
}

/** The filter by tags, whose code loads when it is first used, or when tags are chosen already. */
export function TagField({ chosen, onChange, opened, onOpen }: TagFieldProps) {
  if (!opened && chosen.length === 0) return <ClosedField onOpen={onOpen} />
  return <TagFilter chosen={chosen} onChange={onChange} focused={opened} />
}

function ClosedField({ onOpen }: { onOpen?: () => void }) {
  return (
    <button
      type="button"
      className={styles.field}
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
      onClick={onOpen}
    >
      {texts.filterByTags}
      <IconSelector size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
