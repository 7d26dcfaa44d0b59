import { useQuery } from '@tanstack/react-query'
import { newestQuery } from '../../features/media/api.ts'
import { PopularCreators } from '../../features/media/parts/creators/CreatorRow.tsx'
import { WallTile } from '../../features/media/parts/wall/WallTile.tsx'
import { paths } from '../../lib/paths.ts'
import { MediaGrid, MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { landingTexts } from './texts.ts'

type NewestPiecesProps = { count: number }

/** Creators with their prices, then the newest public media with whose they are; what there is none of is left out. */
export function NewestPieces({ count }: NewestPiecesProps) {
  return (
    <div>
      <PopularCreators />
      <Newest count={count} />
    </div>
  )
}

function Newest({ count }: NewestPiecesProps) {
  const { data, isPending } = useQuery(newestQuery(count))
  if (isPending) return <MediaGridSkeleton tiles={count} ratio={1} />
  if (!data || data.items.length === 0) return null
  return (
    <MediaGrid label={landingTexts.newest}>
      {data.items.map((media) => (
        <WallTile key={media._id} media={media} to={paths.media(media._id)} ratio={1} />
      ))}
    </MediaGrid>
  )
}
