import { useEffect, useRef } from 'react'
import { store } from '../../../lib/storage.ts'
import { positionOf, rememberPosition } from './positions.ts'

/** Seconds of playing after which the place is written down again. */
const STEP = 5

/** Remembers how far one video was watched, also when the page is left in the middle of it. */
export function usePosition(mediaId: string) {
  const last = useRef({ at: 0, written: 0, duration: 0 })

  useEffect(() => {
    const write = () => {
      const { at, written, duration } = last.current
      if (duration > 0 && at !== written) rememberPosition(store, mediaId, at, duration)
    }
    addEventListener('pagehide', write)
    return () => {
      removeEventListener('pagehide', write)
      write()
    }
  }, [mediaId])

  return {
    /** Where to begin, in seconds. */
    begin: () => positionOf(store, mediaId),
    /** To be told of every step that the video makes; where it ends it is forgotten. */
    onTime: ({ currentTime, duration, ended }: HTMLVideoElement) => {
      if (!Number.isFinite(duration)) return
      const at = ended ? duration : currentTime
      const { written } = last.current
      const due = ended || Math.abs(at - written) >= STEP
      if (due) rememberPosition(store, mediaId, at, duration)
      last.current = { at, duration, written: due ? at : written }
    },
  }
}
