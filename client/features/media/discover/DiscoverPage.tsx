import { IconPhotoSearch } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import type { FeedMedia } from '../api.ts'
import { PopularCreators } from '../parts/creators/CreatorRow.tsx'
import { MediaWallSkeleton } from '../parts/wall/MediaWall.tsx'
import { ViewableWall } from '../parts/wall/ViewableWall.tsx'
import { SearchField } from '../search/SearchField.tsx'
import { useSearchWords } from '../search/use-search-words.ts'
import { useTags } from '../tags/use-tags.ts'
import { filterAddress, NO_FILTER } from './address.ts'
import { discoverQuery } from './api.ts'
import styles from './discover.module.css'
import { FeedFilters } from './FeedFilters.tsx'
import { TagChips } from './TagChips.tsx'
import { TagField } from './TagField.tsx'
import { discoverHeading, discoverTexts as texts } from './texts.ts'
import { useFeedFilter } from './use-feed-filter.ts'

const SearchResults = lazyPart(
  () => import('../search/SearchResults.tsx').then((module) => module.default),
  <MediaWallSkeleton />,
)

/** Everything that is free to see, by tags, kind and order (docs/product.md, Pages); or what is searched for. */
export function Component() {
  const { loggedIn } = useSession()
  const navigate = useNavigate()
  const search = useSearchWords()
  const filter = useFeedFilter()
  const searching = search.words !== ''
  const onLocked = (media: FeedMedia) => void navigate(paths.media(media._id))
  return (
    <Page
      title={discoverHeading.title}
      lead={discoverHeading.lead}
      action={
        loggedIn && (
          <LinkButton to={paths.yourContent} variant="default">
            {texts.yourContent}
          </LinkButton>
        )
      }
    >
      <div className={styles.tools}>
        <SearchField words={search.words} focused={search.opened} onSearch={search.ask} />
        {!searching && (
          <TagField chosen={filter.chosen.tagIds} onChange={(tagIds) => filter.choose({ tagIds })} />
        )}
      </div>
      {searching ? (
        <SearchResults words={search.words} onLocked={onLocked} onClear={() => search.ask('')} />
      ) : (
        <Feed filter={filter} onLocked={onLocked} />
      )}
    </Page>
  )
}

type FeedProps = {
  filter: ReturnType<typeof useFeedFilter>
  /** What a tap on an item that is locked does. */
  onLocked: (media: FeedMedia) => void
}

function Feed({ filter, onLocked }: FeedProps) {
  const { suggested, isStale, error } = useTags()
  const { asked, chosen, choose, toggleTag } = filter
  const address = filterAddress(asked).toString()
  return (
    <>
      {isStale && !error && suggested.length === 0 && <div className={styles.noTagsYet} />}
      {suggested.length > 0 && <TagChips tags={suggested} chosen={chosen.tagIds} onToggle={toggleTag} />}
      <FeedFilters chosen={chosen} onChoose={choose} />
      {asked.tagIds.length === 0 && <PopularCreators />}
      <ViewableWall
        key={address}
        label={texts.everything}
        query={discoverQuery(asked)}
        onLocked={onLocked}
        empty={
          address === '' ? (
            <EmptyState Icon={IconPhotoSearch} title={texts.nothingYet}>
              {texts.nothingYetHint}
            </EmptyState>
          ) : (
            <EmptyState
              Icon={IconPhotoSearch}
              title={texts.noResults}
              action={
                <Button variant="default" onClick={() => choose(NO_FILTER)}>
                  {texts.showEverything}
                </Button>
              }
            >
              {texts.noResultsHint}
            </EmptyState>
          )
        }
      />
    </>
  )
}
