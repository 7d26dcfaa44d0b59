import { formatHour } from '../../../ui/format.ts'
import { earningsTexts as texts } from './texts.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `Fridays at 8 PM`; weekdays count from Sunday, which is 0. */
export const slotText = ({ weekday, hour }: { weekday: number; hour: number }) =>
  texts.slot(WEEKDAYS[weekday] ?? '', formatHour(hour))

/** The letters of a weekday that an axis has room for. */
export const shortWeekday = (name: string) => name.slice(0, 3)
