import { IconShare2 } from '@tabler/icons-react'
import { Button } from './core/Button.tsx'
import styles from './ShareButton.module.css'
import { shareTexts } from './texts.ts'

type ShareButtonProps = {
  /** The page’s address on this site. */
  path: string
  title: string
  /** Where there is room for a symbol alone: what the button is called. */
  symbol?: string
  className?: string | undefined
}

/** Hands on the address of a page: by the device's own sheet, or copied where there is none. */
export function ShareButton({ path, title, symbol, className }: ShareButtonProps) {
  // The code for sharing is loaded on demand: pages for visitors show this button at once.
  const share = () => void import('./share.ts').then((module) => module.share(path, title))
  return symbol === undefined ? (
    <button type="button" className={className} onClick={share}>
      <IconShare2 size={18} stroke={1.75} aria-hidden />
      {shareTexts.share}
    </button>
  ) : (
    <Button variant="default" className={styles.symbol} aria-label={symbol} title={symbol} onClick={share}>
      <IconShare2 size={20} stroke={1.75} aria-hidden />
    </Button>
  )
}
