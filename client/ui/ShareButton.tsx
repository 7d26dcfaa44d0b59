import { IconShare2 } from '@tabler/icons-react'
import { Button } from './core/Button.tsx'
import styles from './ShareButton.module.css'
import { toast } from './toast.ts'

const texts = {
  share: 'Share',
  copied: 'Link copied',
  /** Where the browser neither shares nor copies. */
  failed: (url: string) => `Your browser can’t copy this link: ${url}`,
}

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
  const share = async () => {
    const url = new URL(path, location.origin).href
    try {
      if (navigator.share) return await navigator.share({ title, url })
      // Without https there is no clipboard either.
      await navigator.clipboard.writeText(url)
      toast.success(texts.copied)
    } catch (failure) {
      // The sheet was closed without a choice.
      if (failure instanceof DOMException && failure.name === 'AbortError') return
      toast.failure(texts.failed(url))
    }
  }
  return symbol === undefined ? (
    <button type="button" className={className} onClick={() => void share()}>
      <IconShare2 size={18} stroke={1.75} aria-hidden />
      {texts.share}
    </button>
  ) : (
    <Button
      variant="default"
      className={styles.symbol}
      aria-label={symbol}
      title={symbol}
      onClick={() => void share()}
    >
      <IconShare2 size={20} stroke={1.75} aria-hidden />
    </Button>
  )
}
