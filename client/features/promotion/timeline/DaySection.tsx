import { serverNow } from '../../../lib/server-clock.ts'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { useDroppable } from '@dnd-kit/core'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowsMove } from '@tabler/icons-react'
import { dayOf, formatDate } from '../../../ui/format.ts'
import { formatWeekday } from '../../../ui/format-occasional.ts'
import type { TimelineItem } from './api.ts'
import { ItemCard } from './ItemCard.tsx'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'
import { DAY_MOVES, useMoveWholeDay } from './use-move.ts'

type DaySectionProps = {
  day: string
  items: readonly TimelineItem[]
  /** One of seven columns. */
  narrow?: boolean
}

/**
 * The posts of one day below its heading, with a menu that moves all that is still scheduled. As one of seven columns it
 * takes what is dragged from another day.
 */
export function DaySection({ day, items, narrow = false }: DaySectionProps) {
  const name = formatDate(day)
  const weekday = formatWeekday(day, narrow ? 'short' : 'long')
  const { setNodeRef, isOver } = useDroppable({ id: day, disabled: !narrow })
  // A week has a heading of its own above its days.
  const Heading = narrow ? 'h3' : 'h2'
  const isMovable = items.some(({ state }) => state === 'scheduled')
  return (
    <section
      ref={setNodeRef}
      className={styles.day}
      aria-label={name}
      data-narrow={narrow || undefined}
      data-over={isOver || undefined}
    >
      <div className={styles.dayHead} data-today={day === dayOf(serverNow()) || undefined}>
        <Heading className={styles.dayTitle}>
          {weekday} <span className={styles.quiet}>{narrow ? name.replace(/, \d+$/, '') : name}</span>
        </Heading>
        {isMovable && <MoveMenu day={day} />}
      </div>
      {items.length === 0 ? (
        <p className={styles.nothing}>{texts.nothingThatDay}</p>
      ) : (
        <ul className={styles.items}>
          {items.map((item) => (
            <ItemCard key={item._id} item={item} draggable={narrow} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The posts whose day has passed and that still haven’t gone up. */
export function OverdueSection({ items }: Pick<DaySectionProps, 'items'>) {
  return (
    <section className={styles.day} aria-label={texts.overdue}>
      <div className={styles.dayHead}>
        <h2 className={styles.dayTitle}>{texts.overdue}</h2>
      </div>
      <p className={styles.nothing}>{texts.overdueLead}</p>
      <ul className={styles.items}>
        {items.map((item) => (
          <ItemCard key={item._id} item={item} dated />
        ))}
      </ul>
    </section>
  )
}

/** Moves all of a day that is still scheduled. */
export function MoveMenu({ day }: { day: string }) {
  const move = useMoveWholeDay(day)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.moveDayOf(formatDate(day))}>
          <IconArrowsMove size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.moveDay}</Menu.Label>
        {DAY_MOVES.map((by) => (
          <Menu.Item key={by} onClick={() => move(by)}>
            {texts.moveBy[by]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
