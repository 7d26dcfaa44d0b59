/** How far ahead a mass message can be scheduled. */
const MOST_AHEAD_MS = 366 * 24 * 3600 * 1000

/** What is said of another time. */
export const WRONG_SEND_TIME = 'Choose a time in the next 12 months.'

/** Whether a mass message can be scheduled for this moment. */
export function isSendTime(moment: Date, now: Date): boolean {
  const ahead = moment.getTime() - now.getTime()
  return ahead > 0 && ahead <= MOST_AHEAD_MS
}
