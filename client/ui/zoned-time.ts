import { useMemo } from 'react'
import { momentOf, type WallTime, wallTime } from '../../contract/wall-time.ts'
import { ownTimeZone } from './own-time-zone.ts'

/** Times in one IANA time zone, both ways; in the browser's own unless one is chosen. */
export function useZonedTime(timeZone: string = ownTimeZone()) {
  return useMemo(
    () => ({
      timeZone,
      toWall: (moment: Date) => wallTime(moment, timeZone),
      toMoment: (wall: WallTime) => momentOf(wall, timeZone),
    }),
    [timeZone],
  )
}
