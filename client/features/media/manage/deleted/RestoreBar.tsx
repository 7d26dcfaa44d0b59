import { IconRestore } from '@tabler/icons-react'
import { Button } from '../../../../ui/core/Button.tsx'
import { SelectedCount } from '../bulk/SelectedCount.tsx'
import styles from '../bulk/SelectionBar.module.css'
import { texts } from '../texts.ts'

type RestoreBarProps = {
  /** How many are selected, and how many there are to select. */
  count: number
  loaded: number
  busy: boolean
  onSelectAll: () => void
  onClear: () => void
  onRestore: () => void
}

/** Brings the selected items back, at the lower edge of the window. */
export function RestoreBar({ count, loaded, busy, onSelectAll, onClear, onRestore }: RestoreBarProps) {
  return (
    <section className={styles.bar} aria-label={texts.selectedItems}>
      <SelectedCount
        count={count}
        all={{ label: texts.selectAllLoaded, disabled: loaded === 0, onSelect: onSelectAll }}
        onClear={onClear}
      />
      <div className={styles.actions}>
        <Button
          leftSection={<IconRestore size={18} stroke={1.75} aria-hidden />}
          disabled={count === 0}
          loading={busy}
          onClick={onRestore}
        >
          {texts.restore}
        </Button>
      </div>
    </section>
  )
}
