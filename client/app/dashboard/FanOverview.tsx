import { IconPhotoHeart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { pictureOf, sourcesOf } from '../../../contract/media-links.ts'
import { newestContentQuery } from '../../features/media/api.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { MediaGrid, MediaGridSkeleton } from '../../ui/MediaGrid.tsx'
import { MediaTile } from '../../ui/MediaTile.tsx'
import { Section } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'

const TILES = 4

/** What a fan comes for: what was unlocked last, or the way to the first of it. */
export function FanOverview() {
  const { data, error, refetch } = useQuery(newestContentQuery(TILES))
  return (
    <Section
      title="New for you"
      action={data?.hasMore && <TextLink to={paths.yourContent}>Your Content</TextLink>}
    >
      {error ? (
        <ErrorState title="Your content could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <MediaGridSkeleton tiles={TILES} />
      ) : data.items.length === 0 ? (
        <EmptyState
          Icon={IconPhotoHeart}
          title="Everything you unlock is kept here"
          action={<LinkButton to={paths.discover}>Find creators</LinkButton>}
        >
          Subscribe to somebody or buy a single piece, and it opens here at once.
        </EmptyState>
      ) : (
        <MediaGrid>
          {data.items.map((media) => (
            <MediaTile
              key={media._id}
              to={paths.media(media._id)}
              eager
              media={{
                type: media.type,
                picture: pictureOf(media),
                sources: sourcesOf(media),
                preview: media.preview,
                title: media.title,
                duration: media.duration ?? null,
                state: media.owned ? 'owned' : media.locked ? 'locked' : 'open',
              }}
            />
          ))}
        </MediaGrid>
      )}
    </Section>
  )
}
