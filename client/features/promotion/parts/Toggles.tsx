import { Button } from '../../../ui/core/Button.tsx'
import { Hidden } from '../../../ui/Hidden.tsx'
import styles from './Toggles.module.css'
import { togglesTexts as texts } from './texts.ts'

type TogglesProps = {
  legend: string
  numbers: readonly number[]
  chosen: readonly number[]
  /** Read out, and shown in short. */
  nameOf: (number: number) => string
  labelOf: (number: number) => string
  error: string | undefined
  onChange: (next: number[]) => void
}

/** Several of a few numbers, each a button that is pressed or not. */
export function Toggles({ legend, numbers, chosen, nameOf, labelOf, error, onChange }: TogglesProps) {
  const toggle = (number: number) =>
    onChange(
      chosen.includes(number)
        ? chosen.filter((one) => one !== number)
        : [...chosen, number].sort((a, b) => a - b),
    )
  return (
    <fieldset className={styles.toggles}>
      <legend>{legend}</legend>
      <div className={styles.grid} data-many={numbers.length > 7 || undefined}>
        {numbers.map((number) => (
          <button
            key={number}
            type="button"
            aria-pressed={chosen.includes(number)}
            onClick={() => toggle(number)}
          >
            <span aria-hidden>{labelOf(number)}</span>
            <Hidden>{nameOf(number)}</Hidden>
          </button>
        ))}
      </div>
      <div className={styles.allOrNone}>
        <Button variant="subtle" size="sm" onClick={() => onChange([...numbers])}>
          {texts.all}
        </Button>
        <Button variant="subtle" size="sm" onClick={() => onChange([])}>
          {texts.none}
        </Button>
      </div>
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}
