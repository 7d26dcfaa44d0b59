import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Hidden } from '../../../ui/Hidden.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Strip } from '../../../ui/Strip.tsx'
import { ownSubscriptionsQuery } from '../../commerce/parts/subscriptions/api.ts'
import { conversationsTexts as texts } from '../texts.ts'
import styles from './ConversationList.module.css'

/** The creators whom the person subscribes to in a row, each a way to write to them; nothing for who has none. */
export function OwnSubscriptions() {
  const id = useId()
  const person = useCurrentUser()
  const list = useList(ownSubscriptionsQuery('current'))
  // Until they come their place is kept, as the conversations stand below.
  const expected = list.isPending && person.subscriptions.length > 0
  if (!expected && !list.error && list.items.length === 0) return null
  return (
    <section className={styles.subscriptions} aria-labelledby={id}>
      <h2 id={id} className={styles.subscriptionsTitle}>
        {texts.subscriptions}
      </h2>
      <GrowingList
        list={list}
        failed={texts.subscriptionsFailed}
        waiting={<div className={styles.strip} />}
        empty={null}
        byButton
      >
        <Strip className={styles.strip}>
          {list.items.map(({ _id, title, creator }) => (
            <li key={_id}>
              <Link to={paths.chat(creator._id)} className={styles.subscription}>
                <Avatar src={creator.profileImage} name={creator.username} size={48} />
                <span className={styles.subscriptionName}>{creator.username}</span>
                <span className={styles.subscriptionTitle}>{title}</span>
                <Hidden>{texts.message}</Hidden>
              </Link>
            </li>
          ))}
        </Strip>
      </GrowingList>
    </section>
  )
}
