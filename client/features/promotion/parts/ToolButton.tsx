import type { ComponentType, MouseEvent, Ref } from 'react'
import type { MenuButton } from '../../../ui/menu/use-menu.ts'
import styles from './ToolButton.module.css'

type ToolButtonProps = {
  /** The action, and its object. */
  label: string
  Icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: true }>
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  ref?: Ref<HTMLButtonElement>
} & Partial<Omit<MenuButton, 'ref' | 'onClick'>>

/** A small button of a row, as large as a finger: an icon whose words are read out. */
export function ToolButton({ label, Icon, ...given }: ToolButtonProps) {
  return (
    <button {...given} type="button" className={styles.tool} aria-label={label}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
