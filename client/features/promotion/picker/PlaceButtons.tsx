import { Button } from '../../../ui/core/Button.tsx'
import type { Place } from './choices.ts'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'

type PlaceButtonsProps = { name: string; place: Place; onMove: (names: string[], place: Place) => void }

/** Selects or discards one subreddit; the one that holds is pressed, and pressing it again takes it back. */
export function PlaceButtons({ name, place, onMove }: PlaceButtonsProps) {
  const [isUsable, isDiscarded] = [place === 'usable', place === 'discarded']
  return (
    <span className={styles.places}>
      <Button
        size="compact-md"
        variant={isUsable ? 'filled' : 'default'}
        aria-pressed={isUsable}
        aria-label={isUsable ? texts.selectedOf(name) : texts.moveToSelected(name)}
        onClick={() => onMove([name], isUsable ? null : 'usable')}
      >
        {isUsable ? texts.isSelected : texts.select}
      </Button>
      <Button
        size="compact-md"
        variant={isDiscarded ? 'filled' : 'subtle'}
        color={isDiscarded ? undefined : 'gray'}
        aria-pressed={isDiscarded}
        aria-label={isDiscarded ? texts.discardedOf(name) : texts.moveToDiscarded(name)}
        onClick={() => onMove([name], isDiscarded ? null : 'discarded')}
      >
        {isDiscarded ? texts.isDiscarded : texts.discard}
      </Button>
    </span>
  )
}
