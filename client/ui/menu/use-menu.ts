import { type RefObject, useId, useRef } from 'react'

/** What the button that opens a menu is given. */
export type MenuButton = {
  id: string
  ref: RefObject<HTMLButtonElement | null>
  onClick: () => void
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
}

/** What the `MenuList` of that button is given while it is open. */
export type OpenedMenu = {
  id: string
  /** The button that it stands at. */
  target: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** A menu's button, and its list, whose code may come when it is first opened. */
export function useMenu(
  opened: boolean,
  onChange: (opened: boolean) => void,
): { button: MenuButton; list: OpenedMenu } {
  const id = useId()
  const target = useRef<HTMLButtonElement>(null)
  return {
    button: {
      id: `${id}-button`,
      ref: target,
      onClick: () => onChange(!opened),
      'aria-haspopup': 'menu',
      'aria-expanded': opened,
      'aria-controls': opened ? id : undefined,
    },
    list: { id, target, onClose: () => onChange(false) },
  }
}
