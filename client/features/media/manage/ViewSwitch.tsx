import { IconLayoutGrid, IconLayoutList } from '@tabler/icons-react'
import { useId } from 'react'
import { texts } from './texts.ts'
import styles from './ViewSwitch.module.css'
import type { LibraryView } from './view.ts'

const VIEWS = [
  { view: 'grid', Icon: IconLayoutGrid },
  { view: 'list', Icon: IconLayoutList },
] as const

/** Whether the library is a grid or a list; the arrow keys change it as well. */
export function ViewSwitch({ view, onChange }: { view: LibraryView; onChange: (view: LibraryView) => void }) {
  const name = useId()
  return (
    <fieldset className={styles.views}>
      <legend className={styles.legend}>{texts.view.label}</legend>
      {VIEWS.map(({ view: one, Icon }) => (
        <label key={one} className={styles.view} title={texts.view[one]}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={view === one}
            onChange={() => onChange(one)}
            aria-label={texts.view[one]}
          />
          <Icon size={20} stroke={1.75} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
