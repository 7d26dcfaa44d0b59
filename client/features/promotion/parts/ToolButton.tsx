import type { ComponentType, MouseEvent } from 'react'
import styles from './ToolButton.module.css'

type ToolButtonProps = {
  /** What it does, and to what. */
  label: string
  Icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: true }>
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
}

/** A small button of a row, as large as a finger: an icon whose words are read out. */
export function ToolButton({ label, Icon, onClick }: ToolButtonProps) {
  return (
    <button type="button" className={styles.tool} aria-label={label} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
