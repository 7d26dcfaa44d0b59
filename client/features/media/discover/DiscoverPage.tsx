import { IconPhotoSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import { useIsWide } from '../../../ui/use-is-wide.ts'
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

/** Only during the minutes after a first start. */
const SampleOnItsWay = lazyPart(() => import('./SampleOnItsWay.tsx').then((module) => module.default))

/** Everything that is free to see, by tags, kind and order (docs/product.md, Pages); or what is searched for. */
export function Component() {
  const { loggedIn } = useSession()
  const navigate = useNavigate()
  const search = useSearchWords()
  const filter = useFeedFilter()
  const tags = useTags()
  const [opened, setOpened] = useState(false)
  const wide = useIsWide('48em')
  const searching = search.words !== ''
  const { tagIds } = filter.chosen
  const pending = tags.isStale && !tags.error && tags.suggested.length === 0
  const listed = tagIds.every((tagId) => tags.suggested.some(({ _id }) => _id === tagId))
  // A phone has one of the two, the one that shows all that is chosen.
  const byChips = tags.suggested.length > 0 && (wide || (listed && !opened))
  const byField = wide || (!byChips && !pending)
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
        {!searching && byField && (
          <TagField
            chosen={tagIds}
            onChange={(next) => filter.choose({ tagIds: next })}
            opened={opened}
            onOpen={() => setOpened(true)}
          />
        )}
      </div>
      {searching ? (
        <SearchResults words={search.words} onLocked={onLocked} onClear={() => search.ask('')} />
      ) : (
        <>
          {pending && <div className={styles.noTagsYet} />}
          {byChips && (
            <TagChips
              tags={tags.suggested}
              chosen={tagIds}
              onToggle={filter.toggleTag}
              {...(wide ? {} : { onMore: () => setOpened(true) })}
            />
          )}
          <Feed filter={filter} onLocked={onLocked} />
        </>
      )}
    </Page>
  )
}

type FeedProps = {
  filter: ReturnType<typeof useFeedFilter>
  /** The action of a tap on a locked item. */
  onLocked: (media: FeedMedia) => void
}

function Feed({ filter, onLocked }: FeedProps) {
  const { asked, chosen, choose } = filter
  const makingSample = useConfig()?.sandbox?.makingSample
  const address = filterAddress(asked).toString()
  return (
    <>
      <FeedFilters chosen={chosen} onChoose={choose} />
      {asked.tagIds.length === 0 && <PopularCreators />}
      <ViewableWall
        key={address}
        label={texts.everything}
        query={discoverQuery(asked)}
        onLocked={onLocked}
        empty={
          address === '' && makingSample ? (
            <SampleOnItsWay />
          ) : address === '' ? (
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
