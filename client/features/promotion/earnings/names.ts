import { formatHour } from '../../../ui/format-occasional.ts'
import { dayName } from '../parts/week.ts'
import { earningsTexts as texts } from './texts.ts'

/** `Fridays at 8 PM`; weekdays count from Sunday, which is 0. */
export const slotText = ({ weekday, hour }: { weekday: number; hour: number }) =>
  texts.slot(dayName(weekday), formatHour(hour))

/** The letters of a weekday that an axis has room for. */
export const shortWeekday = (name: string) => name.slice(0, 3)
