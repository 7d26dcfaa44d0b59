import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import type { FeedMedia } from '../api.ts'
import { WallTile } from '../parts/wall/WallTile.tsx'
import { bundleInfoQuery } from './api.ts'
import styles from './BundleContents.module.css'
import { libraryTexts } from './texts.ts'

/** What is inside a bundle: owned media to look at, the rest as placeholders with price, type and duration. */
export function BundleContents({
  bundleId,
  onOpen,
}: {
  bundleId: string
  onOpen: (media: FeedMedia) => void
}) {
  const info = useQuery(bundleInfoQuery(bundleId))
  if (info.isError) {
    return (
      <ErrorState title={libraryTexts.bundleFailed} error={info.error} onRetry={() => void info.refetch()} />
    )
  }
  if (info.isPending) {
    return (
      <output className={styles.grid} aria-label={stateTexts.loading}>
        {[0, 1, 2, 3].map((tile) => (
          <span key={tile} className={styles.waiting} />
        ))}
      </output>
    )
  }
  return (
    <div className={styles.grid}>
      {info.data.bundleMedia.map((media) => (
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
  )
}
