import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { ListedCreator } from '../../../../../contract/routes/media/viewing.ts'
import { paths } from '../../../../lib/paths.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Strip } from '../../../../ui/Strip.tsx'
import { stateTexts } from '../../../../ui/texts.ts'
import { creatorsQuery } from './api.ts'
import styles from './CreatorRow.module.css'
import { creatorsTexts as texts } from './texts.ts'

type Creator = z.output<typeof ListedCreator>

/** The most popular creators in one line that scrolls sideways; its place is kept until they are there. */
export function PopularCreators() {
  const { data, isPending } = useQuery(creatorsQuery)
  if (isPending) return <output className={styles.waitingRow} aria-label={stateTexts.loading} />
  if (!data?.length) return null
  return (
    <section className={styles.row} aria-label={texts.label}>
      <CreatorList creators={data} />
    </section>
  )
}

/** Creators with picture, name, and what they cost, each a way to their profile. */
export function CreatorList({ creators }: { creators: readonly Creator[] }) {
  return (
    <Strip className={styles.creators}>
      {creators.map(({ _id, username, profileImage, monthPrice }) => (
        <li key={_id}>
          <Link className={styles.creator} to={paths.profile(username)}>
            <Avatar src={profileImage} name={username} size={56} />
            <span className={styles.username}>{username}</span>
            {monthPrice !== null && <span className={styles.price}>{texts.from(monthPrice)}</span>}
          </Link>
        </li>
      ))}
    </Strip>
  )
}
