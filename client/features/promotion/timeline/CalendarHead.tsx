import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { ToolButton } from '../parts/ToolButton.tsx'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

type CalendarHeadProps = {
  id: string
  title: string
  labels: { previous: string; next: string }
  /** Steps back, on, or to today. */
  onStep: (step: -1 | 1 | 'today') => void
  children?: ReactNode
}

/** The shown range of a calendar, with the ways to the one before and after. */
export function CalendarHead({ id, title, labels, onStep, children }: CalendarHeadProps) {
  return (
    <div className={styles.weekHead}>
      <ToolButton label={labels.previous} Icon={IconChevronLeft} onClick={() => onStep(-1)} />
      <h2 id={id} className={styles.weekTitle} aria-live="polite">
        {title}
      </h2>
      <ToolButton label={labels.next} Icon={IconChevronRight} onClick={() => onStep(1)} />
      <Button variant="subtle" size="sm" onClick={() => onStep('today')}>
        {texts.today}
      </Button>
      {children}
    </div>
  )
}
