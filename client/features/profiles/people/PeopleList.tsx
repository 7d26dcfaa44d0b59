import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { profileTexts } from '../texts.ts'
import type { Listed, PeopleQuery } from './api.ts'
import styles from './people.module.css'
import { peopleTexts as texts } from './texts.ts'

type PeopleListProps = {
  label: string
  query: PeopleQuery
  /** Shown instead when there is nobody. */
  empty: ReactNode
  /** All of them are creators, which nobody has to be told of each. */
  creatorsOnly?: boolean
  /** The actions beside a person. */
  action?: (person: Listed) => ReactNode
  /** More comes by a button instead of by scrolling: for a list with something below it. */
  byButton?: boolean
}

/** People with picture and name, each leading to the profile that is shown to the reader; grows as the reader comes near the end. */
export function PeopleList({
  label,
  query,
  empty,
  creatorsOnly = false,
  action,
  byButton = false,
}: PeopleListProps) {
  const list = useList(query)
  return (
    <GrowingList list={list} waiting={<SkeletonLines lines={6} />} empty={empty} byButton={byButton}>
      <ul className={styles.list} aria-label={label}>
        {list.items.map((person) => (
          <li key={person._id} className={styles.person}>
            {person.private ? (
              <div className={styles.head}>
                <Who person={person} tagged={!creatorsOnly} />
              </div>
            ) : (
              <Link to={paths.profile(person.username)} className={`${styles.head} ${styles.link}`}>
                <Who person={person} tagged={!creatorsOnly} />
              </Link>
            )}
            {action?.(person)}
          </li>
        ))}
      </ul>
    </GrowingList>
  )
}

function Who({ person, tagged }: { person: Listed; tagged: boolean }) {
  return (
    <>
      <Avatar src={person.profileImage} name={person.username} size={44} />
      <span className={styles.name}>{person.username}</span>
      {tagged && person.isCreator && <Tag>{texts.creator}</Tag>}
      {person.suspended && <Tag>{profileTexts.suspended}</Tag>}
      {person.private && <Tag>{texts.privateProfile}</Tag>}
    </>
  )
}
