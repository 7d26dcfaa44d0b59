import { useState } from 'react'
import { sourcesOf } from '../../../../contract/media-links.ts'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import type { FeedMedia } from '../api.ts'
import { useRenewed } from '../parts/use-renewed.ts'
import styles from './MediaDetail.module.css'

/** A whole picture in its own proportions; a tap opens it over the full screen. */
export function DetailPicture({ media: given, onOpen }: { media: FeedMedia; onOpen: () => void }) {
  const { media, version, broken, renew, worked, retry } = useRenewed(given)
  const [shown, setShown] = useState(false)
  const { width, height, preview, url, title } = media
  return (
    <div
      className={styles.box}
      style={{ aspectRatio: `${width} / ${height}`, '--ratio': width / height } as object}
    >
      <BlurPreview hash={preview} />
      {broken ? (
        <div className={styles.locked} role="alert">
          <p>This media has an error</p>
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : (
        <button
          type="button"
          className={styles.open}
          onClick={onOpen}
          aria-label={`${title || 'Picture'}: open it full screen`}
        >
          <img
            key={version}
            className={styles.picture}
            data-shown={shown || undefined}
            src={url ?? ''}
            srcSet={sourcesOf(media)
              .map((source) => `${source.url} ${source.width}w`)
              .join(', ')}
            sizes="(min-width: 81em) 51rem, (min-width: 75em) calc(100vw - 28rem), 100vw"
            fetchPriority="high"
            decoding="async"
            width={width}
            height={height}
            alt={title || 'Picture'}
            draggable={false}
            onLoad={() => {
              setShown(true)
              worked()
            }}
            onError={renew}
          />
        </button>
      )}
    </div>
  )
}
