import { useMemo } from 'react'
import { momentsOf, type WallTime, wallTime } from '../../contract/wall-time.ts'
import { ownTimeZone } from './own-time-zone.ts'

/** Times in one IANA time zone, both ways; in the browser's own unless one is chosen. */
export function useZonedTime(timeZone: string = ownTimeZone()) {
  return useMemo(
    () => ({
      timeZone,
      toWall: (moment: Date) => wallTime(moment, timeZone),
      /** Both moments of a time that comes twice, when the clock is set back; one of any other, none of what is no time. */
      toMoments: (wall: WallTime) => momentsOf(wall, timeZone),
      toMoment: (wall: WallTime, isSecond = false): Date | null => {
        const [first = null, second] = momentsOf(wall, timeZone)
        return (isSecond && second) || first
      },
      /** Whether a moment is the second one at which the clock shows its time. */
      isSecond: (moment: Date) => {
        const [, second] = momentsOf(wallTime(moment, timeZone), timeZone)
        return second !== undefined && moment >= second
      },
    }),
    [timeZone],
  )
}
