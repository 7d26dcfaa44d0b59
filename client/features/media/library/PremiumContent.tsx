import { IconPhotoHeart } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Duration } from '../../../ui/Duration.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { type FeedMedia, premiumContentQuery, type Showing } from '../api.ts'
import { WallTile } from '../parts/WallTile.tsx'
import { CardGrid, CardGridSkeleton } from './CardGrid.tsx'
import styles from './PremiumContent.module.css'

const FILTERS: readonly { value: Showing; label: string; none: string }[] = [
  { value: 'images', label: 'Images', none: 'You have no pictures yet' },
  { value: 'videos', label: 'Videos', none: 'You have no videos yet' },
  { value: 'all', label: 'All', none: 'Nothing here yet' },
]

type PremiumContentProps = { onOpen: (media: FeedMedia) => void }

/** What the fan has bought or unlocked otherwise, filtered by kind (docs/product.md, Pages, Your Premium Content). */
export function PremiumContent({ onOpen }: PremiumContentProps) {
  const [parameters, setParameters] = useSearchParams()
  const chosen = FILTERS.find(({ value }) => value === parameters.get('showing')) ?? FILTERS[2]
  const showing = chosen?.value ?? 'all'
  const list = useList(premiumContentQuery(showing))
  return (
    <>
      <nav className={styles.filters} aria-label="What to show">
        <LinkButton to={paths.discover} variant="default" size="sm">
          Discover
        </LinkButton>
        {FILTERS.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            className={styles.filter}
            aria-pressed={value === showing}
            onClick={() =>
              setParameters(value === 'all' ? {} : { showing: value }, {
                replace: true,
                preventScrollReset: true,
              })
            }
          >
            {label}
          </button>
        ))}
      </nav>
      <GrowingList
        list={list}
        waiting={<CardGridSkeleton />}
        empty={
          <EmptyState
            Icon={IconPhotoHeart}
            title={chosen?.none ?? 'Nothing here yet'}
            action={<LinkButton to={paths.discover}>Browse All Content</LinkButton>}
          >
            Everything you buy or unlock is kept here: single pieces, bundles, and what your subscriptions
            hold.
          </EmptyState>
        }
      >
        <CardGrid label="Your premium content">
          {list.items.map((media, index) => (
            <article key={media._id} className={styles.card}>
              <div className={styles.picture}>
                <WallTile
                  media={media}
                  onOpen={onOpen}
                  eager={index < 6}
                  sizes="(min-width: 79em) 24rem, (min-width: 62em) 31vw, 50vw"
                />
              </div>
              <div className={styles.words}>
                <p className={styles.title}>
                  {media.title || (media.type === 'video' ? 'Untitled video' : 'Untitled picture')}
                </p>
                {media.duration != null && (
                  <p className={styles.length}>
                    Video, <Duration seconds={media.duration} />
                  </p>
                )}
                <p className={styles.links}>
                  <Link className={styles.who} to={paths.profile(media.username)}>
                    {media.username}
                  </Link>
                  <Link
                    className={styles.view}
                    to={paths.media(media._id)}
                    aria-label={`View Media: ${media.title || media.type}`}
                  >
                    View Media
                  </Link>
                </p>
              </div>
            </article>
          ))}
        </CardGrid>
      </GrowingList>
    </>
  )
}
