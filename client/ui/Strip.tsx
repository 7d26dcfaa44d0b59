import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './Strip.module.css'

type StripProps = {
  label?: string
  className?: string | undefined
  /** The entries, each a `li`. */
  children: ReactNode
}

/** How much of what is in sight a press of an arrow moves on; the rest stays, to go by. */
const STEP = 0.8

/** A list in one line that scrolls sideways; a mouse has an arrow at each end that hides more. Keys go from entry to entry. */
export function Strip({ label, className = '', children }: StripProps) {
  const list = useRef<HTMLUListElement>(null)
  const [more, setMore] = useState({ before: false, after: false })
  const { before, after } = more

  useEffect(() => {
    const element = list.current
    if (!element) return
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const next = { before: scrollLeft > 1, after: scrollLeft < scrollWidth - clientWidth - 1 }
      if (next.before !== before || next.after !== after) setMore(next)
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  })

  const arrow = (direction: -1 | 1, Icon: typeof IconChevronLeft) => (
    <button
      type="button"
      className={styles.arrow}
      data-side={direction < 0 ? 'start' : 'end'}
      tabIndex={-1}
      aria-hidden
      onClick={() => list.current?.scrollBy({ left: direction * STEP * list.current.clientWidth })}
    >
      <Icon size={20} stroke={1.75} />
    </button>
  )
  return (
    <div className={styles.frame}>
      <ul ref={list} className={`${styles.list} ${className}`} aria-label={label}>
        {children}
      </ul>
      {before && arrow(-1, IconChevronLeft)}
      {after && arrow(1, IconChevronRight)}
    </div>
  )
}
