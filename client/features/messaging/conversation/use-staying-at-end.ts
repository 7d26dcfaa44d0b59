import { useEffect, useLayoutEffect, useRef } from 'react'

/** How close to its end the list counts as being there, in pixels. */
export const NEAR_END = 60

type Shown = {
  rows: number
  /** Whether the list ends with the newest message: the end of a part of it is scrolled past, and not stayed at. */
  isWhole: boolean
}

/**
 * Keeps the list at its end while who looks at it is there, however late a row is drawn or becomes higher, until they
 * scroll up. Answers what takes them there.
 */
export function useStayingAtEnd(scroller: HTMLElement | null, shown: Shown): () => void {
  const latest = useRef(shown)
  const stays = useRef(false)
  useLayoutEffect(() => {
    latest.current = shown
    if (!shown.isWhole) stays.current = false
  })
  useEffect(() => {
    if (!scroller) return
    stays.current = false
    let top = scroller.scrollTop
    const look = () => {
      if (isAtEnd(scroller, latest.current)) stays.current = true
      else if (scroller.scrollTop < top) stays.current = false
      top = scroller.scrollTop
    }
    const sizes = new ResizeObserver(() => {
      if (stays.current) scrollToEnd(scroller)
      look()
    })
    for (const part of [scroller, ...(scroller.firstElementChild?.children ?? [])])
      sizes.observe(part, { box: 'border-box' })
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [scroller])
  return () => {
    stays.current = latest.current.isWhole
    if (scroller) scrollToEnd(scroller)
  }
}

function scrollToEnd(scroller: HTMLElement): void {
  scroller.scrollTop = scroller.scrollHeight
}

/** Before the last row is drawn nothing is known of where the list ends. */
function isAtEnd(scroller: HTMLElement, { rows, isWhole }: Shown): boolean {
  const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
  return isWhole && below <= NEAR_END && scroller.querySelector(`[data-index="${rows - 1}"]`) !== null
}
