import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useInfiniteScroll } from '../../../ui/infinite-scroll.ts'
import { MoreFooter } from '../../../ui/MoreFooter.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import type { Listed, PeopleQuery } from '../api.ts'
import styles from './people.module.css'

type PeopleListProps = {
  label: string
  query: PeopleQuery
  /** Shown instead when there is nobody. */
  empty: ReactNode
  /** What one can do beside a person. */
  action?: (person: Listed) => ReactNode
  /** More comes by a button instead of by scrolling: for a list with something below it. */
  byButton?: boolean
}

/** People with picture and name, each leading to the profile that is shown to the reader; grows as the reader comes near the end. */
export function PeopleList({ label, query, empty, action, byButton = false }: PeopleListProps) {
  const list = useInfiniteQuery(query)
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const people = data?.pages.flatMap((page) => page.items) ?? []
  useInfiniteScroll({
    hasMore: hasNextPage,
    paused: byButton || isFetchingNextPage || isFetchNextPageError,
    onMore: () => void fetchNextPage(),
  })
  if (list.isPending) return <SkeletonLines lines={6} />
  if (list.isError && people.length === 0) {
    return (
      <ErrorState title="This could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    )
  }
  if (people.length === 0) return empty
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {people.map((person) => (
          <li key={person._id} className={styles.person}>
            {person.private ? (
              <div className={styles.head}>
                <Who person={person} />
              </div>
            ) : (
              <Link to={paths.profile(person.username)} className={`${styles.head} ${styles.link}`}>
                <Who person={person} />
              </Link>
            )}
            {action?.(person)}
          </li>
        ))}
      </ul>
      <MoreFooter list={list} byButton={byButton} />
    </>
  )
}

function Who({ person }: { person: Listed }) {
  return (
    <>
      <Avatar src={person.profileImage} name={person.username} size={44} />
      <span className={styles.name}>{person.username}</span>
      {person.isCreator && <Tag>Creator</Tag>}
      {person.suspended && <Tag>Suspended</Tag>}
      {person.private && <Tag>Private profile</Tag>}
    </>
  )
}
