import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

const load = () => import('./TagFilter.tsx')
const TagFilter = lazy(load)

type TagFieldProps = { chosen: readonly string[]; onChange: (tagIds: string[]) => void }

/** The filter by tags, whose code loads when it is first used, or when tags are chosen already. */
export function TagField({ chosen, onChange }: TagFieldProps) {
  const [opened, setOpened] = useState(false)
  const closed = (
    <button
      type="button"
      className={styles.field}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setOpened(true)}
    >
      {texts.filterByTags}
      <IconSelector size={18} stroke={1.75} aria-hidden />
    </button>
  )
  if (!opened && chosen.length === 0) return closed
  return (
    <Suspense fallback={closed}>
      <TagFilter chosen={chosen} onChange={onChange} focused={opened} />
    </Suspense>
  )
}
