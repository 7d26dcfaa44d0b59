import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import type { FeedMedia } from '../api.ts'
import { WallTile } from '../parts/wall/WallTile.tsx'
import { bundleInfoQuery } from './api.ts'
import styles from './BundleContents.module.css'
import { libraryTexts } from './texts.ts'

/** The content of a bundle: owned media to view, the rest as placeholders with price, type and duration. */
export function BundleContents({
  bundleId,
  onOpen,
}: {
  bundleId: string
  onOpen: (media: FeedMedia) => void
}) {
  const info = useQuery(bundleInfoQuery(bundleId))
  const isGone = info.error instanceof ApiError && info.error.status === 404
  const waiting = (
    <output className={styles.grid} aria-label={stateTexts.loading}>
      {[0, 1, 2, 3].map((tile) => (
        <span key={tile} className={styles.waiting} />
      ))}
    </output>
  )
  return (
    <Fetched
      query={isGone ? { ...info, data: undefined } : info}
      waiting={waiting}
      failed={libraryTexts.bundleFailed}
    >
      {({ bundleMedia }) => (
        <div className={styles.grid}>
          {bundleMedia.map((media) => (
            <WallTile
              key={media._id}
              media={media}
              onOpen={onOpen}
              ratio={1}
              sizes="(min-width: 48em) 12rem, 33vw"
              priced
            />
          ))}
        </div>
      )}
    </Fetched>
  )
}
