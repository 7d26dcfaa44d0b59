import { Button } from '../../../ui/core/Button.tsx'
import styles from './board.module.css'
import { STATUSES, type Status, type VerificationRecord } from './records.ts'
import { boardTexts as texts } from './texts.ts'

type ChosenBarProps = {
  chosen: readonly VerificationRecord[]
  onMove: (records: readonly VerificationRecord[], to: Status) => void
  onClear: () => void
}

/** The actions for the chosen verifications together; nothing while none is chosen. */
export function ChosenBar({ chosen, onMove, onClear }: ChosenBarProps) {
  if (chosen.length === 0) return null
  return (
    <section className={styles.bar} aria-label={texts.chosenBar}>
      <p role="status">{texts.chosen(chosen.length)}</p>
      {STATUSES.filter((to) => chosen.some(({ status }) => status !== to)).map((to) => (
        <Button
          key={to}
          size="sm"
          variant="default"
          onClick={({ currentTarget }) => {
            leaveBar(currentTarget)
            onClear()
            onMove(chosen, to)
          }}
        >
          {texts.moveTo(texts.columns[to])}
        </Button>
      ))}
      <Button
        size="sm"
        variant="subtle"
        onClick={({ currentTarget }) => {
          leaveBar(currentTarget)
          onClear()
        }}
      >
        {texts.clear}
      </Button>
    </section>
  )
}

/** The bar goes with its buttons: the keyboard continues in what stays. */
function leaveBar(button: HTMLElement): void {
  const board = button.closest('section')?.parentElement
  board?.querySelector<HTMLElement>(':is(li, tbody) input:not(:checked)')?.focus({ preventScroll: true })
}
