import { IconZoomExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Strip } from '../../../ui/Strip.tsx'
import type { FeedMedia } from '../api.ts'
import { filterAddress, NO_FILTER } from '../discover/address.ts'
import { searchQuery } from '../discover/api.ts'
import chips from '../discover/discover.module.css'
import { discoverTexts as texts } from '../discover/texts.ts'
import { CreatorList } from '../parts/creators/CreatorRow.tsx'
import { ViewableWall } from '../parts/wall/ViewableWall.tsx'
import styles from './SearchResults.module.css'

type SearchResultsProps = { words: string; onLocked: (media: FeedMedia) => void; onClear: () => void }

/** The best matches for the words: creators, then tags, then items. */
export default function SearchResults({ words, onLocked, onClear }: SearchResultsProps) {
  const query = searchQuery(words)
  const { first, items, isPlaceholderData } = useList(query)
  const { creators = [], tags = [], corrected = null } = first ?? {}
  const found = creators.length + tags.length > 0
  const nothing = first !== undefined && !found && items.length === 0
  return (
    <div className={styles.results} data-stale={isPlaceholderData || undefined}>
      {/* Said to screen readers as well, each time that it changes. */}
      <p className={styles.about} data-nothing={nothing || undefined} aria-live="polite">
        {first &&
          (nothing
            ? texts.noResultsFor(words)
            : corrected
              ? texts.correctedTo(corrected)
              : texts.resultsFor(words))}
      </p>
      {creators.length > 0 && (
        <Row title={texts.creators}>
          <CreatorList creators={creators} />
        </Row>
      )}
      {tags.length > 0 && (
        <Row title={texts.tags}>
          <Strip className={chips.chips}>
            {tags.map(({ _id, name }) => (
              <li key={_id}>
                <Link
                  className={chips.chip}
                  to={{ search: filterAddress({ ...NO_FILTER, tagIds: [_id] }).toString() }}
                >
                  {name}
                </Link>
              </li>
            ))}
          </Strip>
        </Row>
      )}
      <ViewableWall
        label={texts.mediaFound}
        query={query}
        onLocked={onLocked}
        empty={
          found ? null : (
            <EmptyState
              Icon={IconZoomExclamation}
              title={texts.noResultsFor(words)}
              action={
                <Button variant="default" onClick={onClear}>
                  {texts.browseAll}
                </Button>
              }
            >
              {texts.noResultsForHint}
            </EmptyState>
          )
        }
      />
    </div>
  )
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.row} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}
