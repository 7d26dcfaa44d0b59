import { useDroppable } from '@dnd-kit/core'
import { serverNow } from '../../../lib/server-clock.ts'
import { dayOf, formatDate } from '../../../ui/format.ts'
import { formatHour, formatWeekday } from '../../../ui/format-occasional.ts'
import type { Queue, TimelineItem } from './api.ts'
import { Calendar } from './Calendar.tsx'
import { CalendarHead } from './CalendarHead.tsx'
import { MoveMenu } from './DaySection.tsx'
import { atHour, dayAfter, type Hour, hourOf, hoursOf, isFree, startOf } from './days.ts'
import { ItemCard } from './ItemCard.tsx'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

const HOURS_OF_DAY = 24

type TimelineDayProps = { day: string; queue: Queue | undefined; onChange: (day: string) => void }

/** One day of the timeline by its hours; those that the queue may still fill are marked. */
export function TimelineDay({ day, queue, onChange }: TimelineDayProps) {
  return (
    <section aria-labelledby="day">
      <CalendarHead
        id="day"
        title={texts.day(formatWeekday(day), formatDate(day))}
        labels={{ previous: texts.previousDay, next: texts.nextDay }}
        onStep={(step) => onChange(step === 'today' ? dayOf(serverNow()) : dayAfter(day, step))}
      >
        <MoveMenu day={day} />
      </CalendarHead>
      <Calendar
        from={startOf(day)}
        to={startOf(dayAfter(day, 1))}
        nameOf={(hour) => formatHour(Number(hour))}
        timeIn={(hour, postTime) => atHour(postTime, Number(hour))}
      >
        {(items) => {
          const found = Map.groupBy(items, ({ postTime }) => hourOf(postTime))
          return (
            <ol className={styles.hours}>
              {hoursOf(day).map((hour) => (
                <HourRow key={hour.hour} hour={hour} items={found.get(hour.hour) ?? []} queue={queue} />
              ))}
            </ol>
          )
        }}
      </Calendar>
    </section>
  )
}

type HourRowProps = {
  hour: Hour
  items: readonly TimelineItem[]
  queue: Queue | undefined
}

function HourRow({ hour: { hour, from, to }, items, queue }: HourRowProps) {
  const { setNodeRef, isOver } = useDroppable({ id: String(hour) })
  const now = serverNow().getTime()
  // Where every hour is the queue’s, saying so of each tells nothing.
  const isOpen =
    items.length === 0 &&
    now < to &&
    queue !== undefined &&
    queue.hours.length < HOURS_OF_DAY &&
    isFree(new Date(from), queue)
  return (
    <li
      ref={setNodeRef}
      className={styles.hour}
      data-now={(now >= from && now < to) || undefined}
      data-over={isOver || undefined}
    >
      <p className={styles.hourName}>{formatHour(hour)}</p>
      {items.length > 0 ? (
        <ul className={styles.hourItems}>
          {items.map((item) => (
            <ItemCard key={item._id} item={item} draggable />
          ))}
        </ul>
      ) : (
        <p className={styles.free}>{isOpen ? texts.freeHour : ''}</p>
      )}
    </li>
  )
}
