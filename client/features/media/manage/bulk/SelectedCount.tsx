import { MAX_MEDIA_SELECTED } from '../../../../../contract/constants.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { texts } from '../texts.ts'
import styles from './SelectionBar.module.css'

type SelectedCountProps = {
  count: number
  /** How many of them are not among those shown. */
  hidden?: number
  /** The last action on them. */
  done?: string
  /** The way to all of them. */
  all: { label: string; disabled: boolean; loading?: boolean; onSelect: () => void }
  onClear: () => void
}

/** How many items are selected, and the way to all or none. */
export function SelectedCount({ count, hidden = 0, done = '', all, onClear }: SelectedCountProps) {
  return (
    <div className={styles.count}>
      <p role="status">
        <strong>{texts.selected(count)}</strong>
        {hidden > 0 && texts.notShown(hidden)}
        {count === MAX_MEDIA_SELECTED && texts.mostAtOnce}
        {done && <span className={styles.done}> · {done}</span>}
      </p>
      <div className={styles.choose}>
        <Button
          variant="subtle"
          size="compact-md"
          onClick={all.onSelect}
          disabled={all.disabled}
          loading={all.loading ?? false}
        >
          {all.label}
        </Button>
        <Button variant="subtle" size="compact-md" color="gray" onClick={onClear} disabled={count === 0}>
          {texts.clear}
        </Button>
      </div>
    </div>
  )
}
