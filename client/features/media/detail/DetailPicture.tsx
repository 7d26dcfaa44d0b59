import { useState } from 'react'
import { sourcesOf } from '../../../../contract/media-links.ts'
import { DETAIL_SIZES } from '../../../../contract/media-wall.ts'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import type { FeedMedia } from '../api.ts'
import { useRenewed } from '../parts/use-renewed.ts'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'

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
          <p>{texts.error}</p>
          <Button variant="default" onClick={retry}>
            {texts.tryAgain}
          </Button>
        </div>
      ) : (
        <button
          type="button"
          className={styles.open}
          onClick={onOpen}
          aria-label={texts.openFullScreen(title || texts.photo)}
        >
          <img
            key={version}
            // The picture in the document is already loaded, and stays visible.
            ref={(picture) => {
              if (picture?.complete && picture.naturalWidth > 0) setShown(true)
            }}
            className={styles.picture}
            data-shown={shown || undefined}
            src={url ?? ''}
            srcSet={sourcesOf(media)
              .map((source) => `${source.url} ${source.width}w`)
              .join(', ')}
            sizes={DETAIL_SIZES}
            fetchPriority="high"
            decoding="async"
            width={width}
            height={height}
            alt={title || texts.photo}
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
