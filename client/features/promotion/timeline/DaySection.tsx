import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowsMove } from '@tabler/icons-react'
import { errorMessage } from '../../../lib/api.ts'
import { dayOf, formatDate } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import { type TimelineItem, useMoveDay } from './api.ts'
import { type Clash, dayAfter, startOf } from './days.ts'
import { ItemCard } from './ItemCard.tsx'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

const DAY_MINUTES = 24 * 60
const MOVES = [
  ['hour', 60],
  ['day', DAY_MINUTES],
  ['week', 7 * DAY_MINUTES],
  ['back', -DAY_MINUTES],
] as const

type DaySectionProps = {
  day: string
  items: readonly TimelineItem[]
  clashes: ReadonlyMap<string, Clash>
  /** One of seven columns. */
  narrow?: boolean
}

/** The posts of one day below its heading, with a menu that moves all that is still scheduled. */
export function DaySection({ day, items, clashes, narrow = false }: DaySectionProps) {
  const name = formatDate(day)
  const weekday = new Date(`${day}T12:00:00`).toLocaleDateString('en-US', {
    weekday: narrow ? 'short' : 'long',
  })
  // A week has a heading of its own above its days.
  const Heading = narrow ? 'h3' : 'h2'
  const isMovable = items.some(({ state }) => state === 'scheduled')
  return (
    <section className={styles.day} aria-label={name} data-narrow={narrow || undefined}>
      <div className={styles.dayHead} data-today={day === dayOf(new Date()) || undefined}>
        <Heading className={styles.dayTitle}>
          {weekday} <span className={styles.quiet}>{narrow ? name.replace(/, \d+$/, '') : name}</span>
        </Heading>
        {isMovable && <MoveMenu day={day} name={name} />}
      </div>
      {items.length === 0 ? (
        <p className={styles.nothing}>{texts.nothingThatDay}</p>
      ) : (
        <ul className={styles.items}>
          {items.map((item) => (
            <ItemCard key={item._id} item={item} clash={clashes.get(item._id) ?? null} />
          ))}
        </ul>
      )}
    </section>
  )
}

function MoveMenu({ day, name }: { day: string; name: string }) {
  const move = useMoveDay()
  const [from, to] = [startOf(day), startOf(dayAfter(day, 1))]
  const run = (minutes: number) =>
    move.mutate(
      { from, to, minutes },
      {
        onSuccess: ({ moved }) => toast.success(texts.moved(moved)),
        onError: (error) => toast.failure(errorMessage(error)),
      },
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.moveDayOf(name)}>
          <IconArrowsMove size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.moveDay}</Menu.Label>
        {MOVES.map(([by, minutes]) => (
          <Menu.Item key={by} onClick={() => run(minutes)}>
            {texts.moveBy[by]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
