import { serverNow } from '../../../lib/server-clock.ts'
import { dayOf, formatDate, formatDayOfMonth } from '../../../ui/format.ts'
import { Calendar } from './Calendar.tsx'
import { CalendarHead } from './CalendarHead.tsx'
import { DaySection } from './DaySection.tsx'
import { byDay, dayAfter, onDay, startOf, weekOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

type TimelineWeekProps = { day: string; onChange: (day: string) => void }

/** One week of the timeline: seven columns where there is room, else the days below each other. */
export function TimelineWeek({ day, onChange }: TimelineWeekProps) {
  const days = weekOf(day)
  const [first = day, last = day] = [days[0], days[6]]
  const isOneYear = first.slice(0, 4) === last.slice(0, 4)
  return (
    <section aria-labelledby="week">
      <CalendarHead
        id="week"
        title={texts.week(isOneYear ? formatDayOfMonth(first) : formatDate(first), formatDate(last))}
        labels={{ previous: texts.previousWeek, next: texts.nextWeek }}
        onStep={(step) => onChange(step === 'today' ? dayOf(serverNow()) : dayAfter(first, step * 7))}
      />
      <Calendar
        from={startOf(first)}
        to={startOf(dayAfter(last, 1))}
        nameOf={formatDate}
        timeIn={(place, postTime) => onDay(postTime, place)}
      >
        {(items) => {
          const found = new Map(byDay(items).map((one) => [one.day, one.items]))
          return (
            <div className={styles.week}>
              {days.map((one) => (
                <DaySection key={one} day={one} items={found.get(one) ?? []} narrow />
              ))}
            </div>
          )
        }}
      </Calendar>
    </section>
  )
}
