import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { accountsQuery, type ForumAccount } from './api.ts'
import { ConnectButton } from './ConnectButton.tsx'
import styles from './parts.module.css'
import { reconnectTexts as texts } from './texts.ts'
import { useForum } from './use-forum.ts'

/** Above the pages of promotion, as long as the forum no longer accepts one of the creator’s accounts. */
export function ReconnectNotice() {
  const { currentUser } = useSession()
  const { available } = useForum()
  const { pathname } = useLocation()
  // That page says it of each account, the other is connecting one.
  const isSaid = [promotionPaths.accounts, '/tokenconfirmation'].includes(pathname)
  const asks = available && currentUser?.isCreator === true && !isSaid
  const accounts = useQuery({ ...accountsQuery, enabled: asks })
  return (
    asks && (
      <div className={styles.above}>
        <Reconnect accounts={accounts.data?.items ?? []} />
      </div>
    )
  )
}

/** Which of these accounts have to be connected again, and the button; nothing where none has to. */
export function Reconnect({ accounts }: { accounts: readonly ForumAccount[] }) {
  const { name: forum } = useForum()
  const names = accounts.filter(({ status }) => status === 'revoked').map(({ name }) => `u/${name}`)
  if (names.length === 0) return null
  return (
    <section className={styles.notice} aria-label={texts.label}>
      <p>{texts.sentence(forum, names)}</p>
      <ConnectButton label={texts.connect} variant="default" />
    </section>
  )
}
