import { type RefCallback, useCallback, useState } from 'react'

/** Heights of the window that are drawn above and below it. */
const MARGIN = '150% 0px'

/**
 * Which cells of a long list stand near the window, where their heights differ: every cell keeps its element, and those
 * that are not near stay empty. Each has its key in `data-cell`, and `ref` of what this answers.
 */
export function useNearCells(): { near: ReadonlySet<string>; ref: RefCallback<HTMLElement> } {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set())
  const [observer] = useState(
    () =>
      new IntersectionObserver(
        (entries) =>
          setNear((before) => {
            const next = new Set(before)
            for (const { target, isIntersecting } of entries) {
              const key = target.getAttribute('data-cell') ?? ''
              if (isIntersecting) next.add(key)
              else next.delete(key)
            }
            return next
          }),
        { rootMargin: MARGIN },
      ),
  )
  const ref = useCallback(
    (cell: HTMLElement | null) => {
      if (!cell) return
      observer.observe(cell)
      return () => observer.unobserve(cell)
    },
    [observer],
  )
  return { near, ref }
}
