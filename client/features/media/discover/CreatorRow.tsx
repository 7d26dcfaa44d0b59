import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import { creatorsQuery } from './api.ts'
import styles from './discover.module.css'
import { discoverTexts as texts } from './texts.ts'

type Creator = { _id: string; username: string; profileImage: string | null }

/** The most popular creators in one line that scrolls sideways; its place is kept until they are there. */
export function PopularCreators() {
  const { data, isPending } = useQuery(creatorsQuery)
  if (isPending) return <output className={styles.waitingRow} aria-label={stateTexts.loading} />
  if (!data?.length) return null
  return (
    <section className={styles.row} aria-label={texts.creators}>
      <CreatorList creators={data} />
    </section>
  )
}

/** Creators with picture and name, each a way to their profile. */
export function CreatorList({ creators }: { creators: readonly Creator[] }) {
  return (
    <ul className={styles.creators}>
      {creators.map(({ _id, username, profileImage }) => (
        <li key={_id}>
          <Link className={styles.creator} to={paths.profile(username)}>
            <Avatar src={profileImage} name={username} size={56} />
            <span className={styles.username}>{username}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
