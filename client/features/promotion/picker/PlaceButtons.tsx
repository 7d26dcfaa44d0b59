import { Button } from '../../../ui/core/Button.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { placeOf, settledAs } from './choices.ts'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'
import type { useChoices } from './use-choices.ts'

type PlaceButtonsProps = { name: string; picking: ReturnType<typeof useChoices> }

/**
 * Selects or discards one subreddit; the one that holds is pressed, and pressing it again takes it back. Of one that is
 * settled it says how.
 */
export function PlaceButtons({ name, picking }: PlaceButtonsProps) {
  const { choices, settled, move } = picking
  const settledHow = settledAs(settled, name)
  if (settledHow) return <Tag>{texts.settled[settledHow]}</Tag>
  const place = placeOf(choices, name)
  const [isUsable, isDiscarded] = [place === 'usable', place === 'discarded']
  return (
    <span className={styles.places}>
      <Button
        size="compact-md"
        variant={isUsable ? 'filled' : 'default'}
        aria-pressed={isUsable}
        aria-label={isUsable ? texts.selectedOf(name) : texts.moveToSelected(name)}
        onClick={() => move([name], isUsable ? null : 'usable')}
      >
        {isUsable ? texts.isSelected : texts.select}
      </Button>
      <Button
        size="compact-md"
        variant={isDiscarded ? 'filled' : 'subtle'}
        color={isDiscarded ? undefined : 'gray'}
        aria-pressed={isDiscarded}
        aria-label={isDiscarded ? texts.discardedOf(name) : texts.moveToDiscarded(name)}
        onClick={() => move([name], isDiscarded ? null : 'discarded')}
      >
        {isDiscarded ? texts.isDiscarded : texts.discard}
      </Button>
    </span>
  )
}
