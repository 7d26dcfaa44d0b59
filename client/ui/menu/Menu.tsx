import type { ReactNode } from 'react'
import { MenuList } from './MenuList.tsx'
import { type MenuButton, useMenu } from './use-menu.ts'

type MenuProps = {
  opened: boolean
  onChange: (opened: boolean) => void
  /** Draws the button; the menu stands below it, or above it where there is no room. */
  button: (given: MenuButton) => ReactNode
  /** Which edge of the button the menu ends at. */
  align?: 'start' | 'end'
  /** `MenuItem`s, drawn while it is open. */
  children: ReactNode
}

/** What can be done with one thing, behind a button: by mouse, by finger, and with the arrow keys. */
export function Menu({ opened, onChange, button, align, children }: MenuProps) {
  const menu = useMenu(opened, onChange)
  return (
    <>
      {button(menu.button)}
      {opened && (
        <MenuList {...menu.list} align={align}>
          {children}
        </MenuList>
      )}
    </>
  )
}
