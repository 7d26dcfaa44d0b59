import { IconMessageCircle } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { ownSubscriptionsQuery } from '../../commerce/parts/subscriptions/api.ts'
import { conversationsTexts as texts } from '../texts.ts'
import styles from './ConversationList.module.css'

/** The creators whom the person subscribes to, each a way to write to them. */
export function OwnSubscriptions() {
  const id = useId()
  const list = useList(ownSubscriptionsQuery('current'))
  // Until it is known, nothing: it stands below a list that is still growing.
  if (list.isPending) return null
  return (
    <section className={styles.subscriptions} aria-labelledby={id}>
      <h2 id={id} className={styles.subscriptionsTitle}>
        {texts.subscriptions}
      </h2>
      <GrowingList
        list={list}
        failed={texts.subscriptionsFailed}
        waiting={null}
        empty={<p className={styles.hint}>{texts.noSubscriptions}</p>}
        byButton
      >
        <ul>
          {list.items.map(({ _id, title, creator }) => (
            <li key={_id}>
              <Link
                to={paths.chat(creator._id)}
                className={styles.row}
                aria-label={texts.messagePerson(creator.username)}
              >
                <Avatar src={creator.profileImage} name={creator.username} size={40} />
                <span className={styles.words}>
                  <span className={styles.name}>{creator.username}</span>
                  <span className={styles.last}>{title}</span>
                </span>
                <IconMessageCircle size={20} stroke={1.5} className={styles.muted} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      </GrowingList>
    </section>
  )
}
