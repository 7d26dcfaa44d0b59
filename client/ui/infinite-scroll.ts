import { useEffect, useRef } from 'react'

/** How much of the page must be behind the reader before more is fetched, and how often scrolling is looked at (docs/product.md, Limits). */
const THRESHOLD = 0.8
const THROTTLE_MS = 150

/** True when the lower edge of the window has passed `threshold` of the page. Lengths in pixels. */
export function hasReached(scrolled: number, viewport: number, page: number, threshold = THRESHOLD): boolean {
  return scrolled + viewport >= page * threshold
}

type InfiniteScroll = {
  hasMore: boolean
  /** True while a page is being fetched, or after it failed: nothing more is asked for then. */
  paused: boolean
  onMore: () => void
}

/** Asks for the next page when the reader comes near the end, and at once when the page does not fill the window. */
export function useInfiniteScroll({ hasMore, paused, onMore }: InfiniteScroll): void {
  const latest = useRef(onMore)
  latest.current = onMore

  useEffect(() => {
    if (!hasMore || paused) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      if (hasReached(window.scrollY, window.innerHeight, document.documentElement.scrollHeight))
        latest.current()
    }
    const onScroll = () => {
      timer ??= setTimeout(look, THROTTLE_MS)
    }
    look()
    addEventListener('scroll', onScroll, { passive: true })
    addEventListener('resize', onScroll)
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', onScroll)
      removeEventListener('resize', onScroll)
    }
  }, [hasMore, paused])
}
