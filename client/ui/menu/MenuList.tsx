import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import styles from './Menu.module.css'
import type { OpenedMenu } from './use-menu.ts'

type MenuListProps = OpenedMenu & {
  /** Which edge of the button the menu ends at. */
  align?: 'start' | 'end' | undefined
  /** `MenuItem`s. */
  children: ReactNode
}

/** Closes the menu that an item stands in. */
const Close = createContext<() => void>(() => undefined)

/** Pixels between the button and its menu, and between the menu and the edge of the window. */
const [GAP, EDGE] = [4, 8]

/** The list of an open menu; takes the focus, and gives it back to the button. */
export function MenuList({ id, target, onClose, align = 'end', children }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent(onClose)
  const close = () => {
    target.current?.focus()
    onClose()
  }

  useLayoutEffect(() => {
    // Who went on elsewhere while its code was on its way isn't taken from there.
    if (!document.activeElement?.contains(target.current)) {
      leave()
      return
    }
    // Where the browser has no popovers, the menu stands above the page by its place alone.
    list.current?.showPopover?.()
    place(target.current, list.current, align)
    const first = itemsOf(list.current)[0] ?? list.current
    first?.focus({ preventScroll: true })
  }, [target, align])

  useEffect(() => {
    const ended = new AbortController()
    const listening = { signal: ended.signal, capture: true }
    const stay = () => place(target.current, list.current, align)
    addEventListener('scroll', stay, listening)
    addEventListener('resize', stay, listening)
    addEventListener(
      'pointerdown',
      ({ target: pressed }) => {
        const isInside = [target, list].some(({ current }) => current?.contains(pressed as Node))
        if (!isInside) leave()
      },
      listening,
    )
    return () => ended.abort()
  }, [target, align])

  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(list.current)
    const focused = document.activeElement as HTMLButtonElement
    const at = items.indexOf(focused)
    const parent = focused.parentElement
    // Those that a menu has side by side stand in an element of their own.
    const beside = parent === list.current ? [] : items.filter((item) => item.parentElement === parent)
    const place = beside.indexOf(focused)
    const next = {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items.at(at - 1),
      ArrowRight: beside[(place + 1) % beside.length],
      ArrowLeft: beside.at(place - 1),
      Home: items[0],
      End: items.at(-1),
    }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (!next) return
    next?.focus()
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Close value={close}>
      <div
        ref={list}
        id={id}
        className={styles.menu}
        popover="manual"
        role="menu"
        aria-labelledby={`${id}-button`}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </Close>
  )
}

type MenuItemProps = {
  Icon?: React.ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
  /** It takes something away. */
  destructive?: boolean
  disabled?: boolean
  className?: string | undefined
  'aria-label'?: string
  onClick: () => void
  children: ReactNode
}

/** One thing that can be done; the menu closes first. */
export function MenuItem({ Icon, destructive, className, onClick, children, ...given }: MenuItemProps) {
  const close = useContext(Close)
  return (
    <button
      {...given}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={className ?? styles.item}
      data-destructive={destructive || undefined}
      onClick={() => {
        close()
        onClick()
      }}
    >
      {Icon && <Icon size={18} stroke={1.75} aria-hidden />}
      {children}
    </button>
  )
}

const itemsOf = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLButtonElement>('[role="menuitem"]:not(:disabled)') ?? []),
]

function place(target: HTMLElement | null, list: HTMLElement | null, align: 'start' | 'end'): void {
  if (!target || !list) return
  const { left, right, top, bottom } = target.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const fitsBelow = bottom + GAP + height <= innerHeight - EDGE
  const x = Math.min(align === 'end' ? right - width : left, innerWidth - EDGE - width)
  list.style.left = `${Math.max(EDGE, x)}px`
  list.style.top = `${fitsBelow ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`
}
