import { MAX_MEDIA_PER_BULK_CALL } from '../../../../../contract/constants.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import styles from './SelectionBar.module.css'

type SelectedCountProps = {
  count: number
  /** How many of them are not among those shown. */
  hidden?: number
  /** How many there are to select. */
  loaded: number
  /** What was just done with them. */
  done?: string
  onSelectAll: () => void
  onClear: () => void
}

/** How many items are selected, and the way to all or none. */
export function SelectedCount({
  count,
  hidden = 0,
  loaded,
  done = '',
  onSelectAll,
  onClear,
}: SelectedCountProps) {
  return (
    <div className={styles.count}>
      <p role="status">
        <strong>{count} selected</strong>
        {hidden > 0 && `, ${hidden} of them not shown`}
        {count === MAX_MEDIA_PER_BULK_CALL && ', the most at once'}
        {done && <span className={styles.done}> · {done}</span>}
      </p>
      <div className={styles.choose}>
        <Button variant="subtle" size="compact-md" onClick={onSelectAll} disabled={loaded === 0}>
          Select all loaded
        </Button>
        <Button variant="subtle" size="compact-md" color="gray" onClick={onClear} disabled={count === 0}>
          Clear
        </Button>
      </div>
    </div>
  )
}
