import type { FeedMedia } from '../../features/media/api.ts'
import { WallTile } from '../../features/media/parts/wall/WallTile.tsx'
import { paths } from '../../lib/paths.ts'
import { MediaGrid } from '../../ui/MediaGrid.tsx'

/** Square tiles that lead to the pages of their items; nothing where there are none. */
export function Tiles({ label, items }: { label?: string; items: readonly FeedMedia[] }) {
  if (items.length === 0) return null
  return (
    <MediaGrid {...(label === undefined ? {} : { label })}>
      {items.map((media) => (
        <WallTile key={media._id} media={media} to={paths.media(media._id)} ratio={1} />
      ))}
    </MediaGrid>
  )
}
