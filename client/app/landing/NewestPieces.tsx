import { useQuery } from '@tanstack/react-query'
import { PopularCreators } from '../../features/media/parts/creators/CreatorRow.tsx'
import { firstMediaQuery } from '../../features/media/parts/first-items.ts'
import { MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { Tiles } from './Tiles.tsx'
import { landingTexts } from './texts.ts'

type NewestPiecesProps = { count: number }

/** For visitors: creators with their prices, then the newest public media with whose they are; what there is none of is left out. */
export function NewestPieces({ count }: NewestPiecesProps) {
  const { data, isPending } = useQuery(firstMediaQuery(count, 'new'))
  return (
    <div>
      <PopularCreators />
      {isPending ? (
        <MediaGridSkeleton tiles={count} ratio={1} />
      ) : (
        <Tiles label={landingTexts.newest} items={data?.items ?? []} />
      )}
    </div>
  )
}
