import '@mantine/core/styles/Tabs.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './TabBar.module.css'

type TabBarProps<Name extends string> = {
  label: string
  tabs: readonly { name: Name; label: string; count?: number; panel: ReactNode }[]
  value: Name
  onChange: (name: Name) => void
}

/** Parts of one page of which one is in sight; the arrow keys move between them. */
export function TabBar<Name extends string>({ label, tabs, value, onChange }: TabBarProps<Name>) {
  return (
    <Tabs
      value={value}
      onChange={(next) => {
        const chosen = tabs.find(({ name }) => name === next)
        if (chosen) onChange(chosen.name)
      }}
      keepMounted={false}
      classNames={{ list: styles.list ?? '', tab: styles.tab ?? '', panel: styles.panel ?? '' }}
    >
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.name} value={tab.name}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name}>
          {tab.panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
