import { IconShare2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import type { FeedMedia } from '../api.ts'
import { viewerTexts as texts } from './texts.ts'

/** How long it says what became of the link, in milliseconds. */
const SAID_MS = 3000

type ShareMediaProps = {
  media: Pick<FeedMedia, '_id' | 'title' | 'username'>
  className?: string | undefined
}

/** Hands the address of an item's page to the device's own ways to share, or copies it where there are none. */
export function ShareMedia({ media, className }: ShareMediaProps) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const share = async () => {
    const url = location.origin + paths.media(media._id)
    if (navigator.share) {
      // Who changes their mind has shared nothing, and needs not be told.
      await navigator.share({ title: media.title || media.username, url }).catch(() => undefined)
      return
    }
    await navigator.clipboard.writeText(url).then(
      () => setSaid(texts.linkCopied),
      () => setSaid(texts.copyFailed),
    )
  }
  return (
    <>
      <button type="button" className={className} onClick={() => void share()}>
        <IconShare2 size={18} stroke={1.75} aria-hidden />
        {said ?? texts.share}
      </button>
      {/* What a button says is not read out when it changes. */}
      <Hidden>
        <span role="status">{said}</span>
      </Hidden>
    </>
  )
}
