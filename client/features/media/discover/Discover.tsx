import { IconPhotoSearch } from '@tabler/icons-react'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { discoverQuery, type FeedMedia } from '../api.ts'
import { MediaWallSkeleton } from '../parts/MediaWall.tsx'
import { ViewableWall } from '../parts/ViewableWall.tsx'
import { SearchField } from '../search/SearchField.tsx'
import { useSearchWords } from '../search/use-search-words.ts'
import { useTags } from '../tags/use-tags.ts'
import styles from './discover.module.css'
import { TagChips } from './TagChips.tsx'
import { TagField } from './TagField.tsx'
import { useTagFilter } from './use-tag-filter.ts'

const SearchResults = lazyPart(
  () => import('../search/SearchResults.tsx').then((module) => module.default),
  <MediaWallSkeleton />,
)

type DiscoverProps = {
  /** What a tap on an item that is locked does. */
  onLocked: (media: FeedMedia) => void
}

/** Everything that is free to see, the newest first, by tags (docs/product.md, Pages, Discover); or what is searched for. */
export function Discover({ onLocked }: DiscoverProps) {
  const search = useSearchWords()
  const filter = useTagFilter()
  const searching = search.words !== ''
  return (
    <>
      <div className={styles.tools}>
        <SearchField words={search.words} focused={search.opened} onSearch={search.ask} />
        {!searching && <TagField chosen={filter.chosen} onChange={filter.choose} />}
      </div>
      {searching ? (
        <SearchResults words={search.words} onLocked={onLocked} onClear={() => search.ask('')} />
      ) : (
        <Feed filter={filter} onLocked={onLocked} />
      )}
    </>
  )
}

type FeedProps = DiscoverProps & { filter: ReturnType<typeof useTagFilter> }

function Feed({ filter, onLocked }: FeedProps) {
  const { suggested, isStale, error } = useTags()
  // The chips stand above the wall, which would be pushed down by them.
  if (isStale && !error) return <MediaWallSkeleton />
  const { asked, chosen, choose, toggle } = filter
  return (
    <>
      {suggested.length > 0 && <TagChips tags={suggested} chosen={chosen} onToggle={toggle} />}
      <ViewableWall
        key={asked.join()}
        label="All content"
        query={discoverQuery(asked)}
        onLocked={onLocked}
        empty={
          asked.length > 0 ? (
            <EmptyState
              Icon={IconPhotoSearch}
              title="Nothing carries these tags yet"
              action={
                <Button variant="default" onClick={() => choose([])}>
                  Show everything
                </Button>
              }
            >
              Take a tag away, or choose another one.
            </EmptyState>
          ) : (
            <EmptyState Icon={IconPhotoSearch} title="Nothing has been published yet">
              What creators show to everybody appears here, the newest first.
            </EmptyState>
          )
        }
      />
    </>
  )
}
