import { earningsTexts as texts } from './texts.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `8 PM`. */
const hourText = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`

/** `Fridays at 8 PM`; weekdays count from Sunday, which is 0. */
export const slotText = ({ weekday, hour }: { weekday: number; hour: number }) =>
  texts.slot(WEEKDAYS[weekday] ?? '', hourText(hour))

/** The letters of a weekday that an axis has room for. */
export const shortWeekday = (name: string) => name.slice(0, 3)
