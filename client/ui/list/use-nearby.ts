import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** From where to where a list is drawn, in the units that its length is given in. */
export type Nearby = { from: number; to: number }

const ALL: Nearby = { from: 0, to: Number.POSITIVE_INFINITY }
/** Heights of the window that are drawn above and below it, and the step in which that moves on. */
const MARGIN = 1.5
const STEP = 0.5

/** Which part of a list of this length stands near the window; `box` in pixels, as seen from the window's upper edge. */
export function nearbyOf(length: number, box: { top: number; height: number }, viewport: number): Nearby {
  if (box.height <= 0) return ALL
  const step = STEP * viewport
  const start = Math.floor((-box.top - MARGIN * viewport) / step) * step
  const end = Math.ceil((-box.top + (1 + MARGIN) * viewport) / step) * step
  const unit = (pixels: number) => Math.min(length, Math.max(0, (pixels / box.height) * length))
  return { from: Math.floor(unit(start)), to: Math.ceil(unit(end)) }
}

/**
 * What of a long list is drawn: what is near the window, whatever scrolls. `length` counts units of the same height,
 * and the element has the height of them all, so that scroll bar and the way back mean the same as if all stood there.
 */
export function useNearby(element: RefObject<HTMLElement | null>, length: number, active: boolean): Nearby {
  const [nearby, setNearby] = useState<Nearby>(active ? { from: 0, to: 0 } : ALL)
  useLayoutEffect(() => {
    const { current } = element
    if (!active || !current) {
      setNearby(ALL)
      return
    }
    let drawn: Nearby | null = null
    const look = () => {
      const next = nearbyOf(length, current.getBoundingClientRect(), innerHeight)
      if (drawn?.from === next.from && drawn.to === next.to) return
      const jumped = drawn !== null && (next.from >= drawn.to || next.to <= drawn.from)
      drawn = next
      // Nothing of where a jump led stands there yet: it is drawn before the window is.
      if (jumped) flushSync(() => setNearby(next))
      else setNearby(next)
    }
    look()
    // Scrolling does not bubble, but is captured from whatever part of the page it happens in.
    document.addEventListener('scroll', look, { capture: true, passive: true })
    addEventListener('resize', look)
    return () => {
      document.removeEventListener('scroll', look, { capture: true })
      removeEventListener('resize', look)
    }
  }, [element, length, active])
  return nearby
}
