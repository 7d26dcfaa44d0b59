import { IconZoomExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { type FeedMedia, searchQuery } from '../api.ts'
import { tagFilterAddress } from '../discover/address.ts'
import chips from '../discover/discover.module.css'
import { ViewableWall } from '../parts/ViewableWall.tsx'
import styles from './SearchResults.module.css'

type SearchResultsProps = { words: string; onLocked: (media: FeedMedia) => void; onClear: () => void }

/** What fits the words best: creators, then tags, then items. */
export default function SearchResults({ words, onLocked, onClear }: SearchResultsProps) {
  const query = searchQuery(words)
  const { first, isPlaceholderData } = useList(query)
  const { creators = [], tags = [], corrected = null } = first ?? {}
  const found = creators.length + tags.length > 0
  return (
    <div className={styles.results} data-stale={isPlaceholderData || undefined}>
      {/* Said to screen readers as well, each time that it changes. */}
      <p className={styles.about} aria-live="polite">
        {first && (corrected ? `Showing results for “${corrected}”` : `Results for “${words}”`)}
      </p>
      {creators.length > 0 && (
        <Row title="Creators">
          <ul className={styles.creators}>
            {creators.map(({ _id, username, firstName, profileImage }) => (
              <li key={_id}>
                <Link className={styles.creator} to={paths.profile(username)}>
                  <Avatar src={profileImage} name={username} size={64} />
                  <span className={styles.name}>{firstName || username}</span>
                  <span className={styles.username}>{username}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Row>
      )}
      {tags.length > 0 && (
        <Row title="Tags">
          <ul className={chips.chips}>
            {tags.map(({ _id, name }) => (
              <li key={_id}>
                <Link className={chips.chip} to={{ search: tagFilterAddress([_id]).toString() }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Row>
      )}
      <ViewableWall
        label="Media found"
        query={query}
        onLocked={onLocked}
        empty={
          found ? null : (
            <EmptyState
              Icon={IconZoomExclamation}
              title={`Nothing fits “${words}”`}
              action={
                <Button variant="default" onClick={onClear}>
                  Browse All Content
                </Button>
              }
            >
              Try fewer or other words, or the name of a creator.
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
