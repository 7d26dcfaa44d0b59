import { IconCheck } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import styles from './ManageCard.module.css'
import { texts } from './texts.ts'

type SelectBoxProps = {
  /** The selected thing. */
  name: string
  selected: boolean
  /** `range`: with everything between it and the one before. */
  onSelect: (range: boolean) => void
}

/** A checkbox over the whole picture of a card. */
export function SelectBox({ name, selected, onSelect }: SelectBoxProps) {
  return (
    <>
      <input
        type="checkbox"
        className={styles.box}
        checked={selected}
        // A click by the keyboard has the shift key as well.
        onClick={(event: MouseEvent) => onSelect(event.shiftKey)}
        readOnly
        aria-label={texts.selectItem(name)}
      />
      <span className={styles.mark} aria-hidden>
        {selected && <IconCheck size={16} stroke={2.5} />}
      </span>
    </>
  )
}
