import { useQuery } from '@tanstack/react-query'
import { pictureOf, sourcesOf } from '../../../contract/media-links.ts'
import { newestQuery } from '../../features/media/api.ts'
import { paths } from '../../lib/paths.ts'
import { MediaGrid, MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { MediaTile } from '../../ui/MediaTile.tsx'
import { landingTexts } from './texts.ts'

const TILES = 4

/** The newest public media; nothing while there is none or it can't be loaded. */
export function NewestPieces() {
  const { data, isPending } = useQuery(newestQuery(TILES))
  if (isPending) return <MediaGridSkeleton tiles={TILES} ratio={1} />
  if (!data || data.items.length === 0) return null
  return (
    <MediaGrid label={landingTexts.newest}>
      {data.items.map((media) => (
        <MediaTile
          key={media._id}
          to={paths.media(media._id)}
          ratio={1}
          media={{
            type: media.type,
            picture: pictureOf(media),
            sources: sourcesOf(media),
            preview: media.preview,
            title: media.title,
            duration: media.duration ?? null,
            state: media.locked ? 'locked' : 'open',
          }}
        />
      ))}
    </MediaGrid>
  )
}
