import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { formatNumber } from './format.ts'
import styles from './TabBar.module.css'

type TabBarProps<Name extends string> = {
  label: string
  tabs: readonly { name: Name; label: string; count?: number | null; panel: ReactNode }[]
  value: Name
  onChange: (name: Name) => void
}

/** Which of so many the key leads to; null for a key that leads to none. */
function ledTo(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Parts of one page of which one is in sight; the arrow keys move between them. */
export function TabBar<Name extends string>({ label, tabs, value, onChange }: TabBarProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = tabs.findIndex(({ name }) => name === value)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = ledTo(event.key, at, tabs.length)
    const tab = next === null ? undefined : tabs[next]
    if (next === null || !tab) return
    event.preventDefault()
    onChange(tab.name)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.name}`}
            aria-selected={tab.name === value}
            aria-controls={`${id}-panel-${tab.name}`}
            tabIndex={tab.name === value ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
            {tab.count != null && <span className={styles.count}> {formatNumber(tab.count)}</span>}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.name}
          role="tabpanel"
          id={`${id}-panel-${tab.name}`}
          aria-labelledby={`${id}-tab-${tab.name}`}
          hidden={tab.name !== value}
          className={styles.panel}
        >
          {tab.name === value && tab.panel}
        </div>
      ))}
    </div>
  )
}
