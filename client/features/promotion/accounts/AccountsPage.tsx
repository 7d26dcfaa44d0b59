import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { accountsQuery, type ForumAccount } from '../parts/api.ts'
import { ConnectButton } from '../parts/ConnectButton.tsx'
import { useForum } from '../parts/use-forum.ts'
import styles from './accounts.module.css'
import { useDisconnect } from './api.ts'
import { accountTexts as texts } from './texts.ts'

/** The creator’s forum accounts: connect, connect again, disconnect. */
export function Component() {
  const accounts = useQuery(accountsQuery)
  const { name: forum } = useForum()
  const [leaving, setLeaving] = useState<ForumAccount | null>(null)
  const disconnect = useDisconnect()
  return (
    <Page title={texts.title} lead={texts.lead(forum)} width="text">
      <Fetched query={accounts} waiting={<SkeletonLines lines={4} />} failed={texts.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              Icon={IconPlugConnected}
              title={texts.emptyTitle}
              action={<ConnectButton label={texts.connect} />}
            >
              {texts.empty}
            </EmptyState>
          ) : (
            <>
              <ul className={styles.list} aria-label={texts.accounts}>
                {items.map((account) => (
                  <li key={account._id}>
                    <AccountCard account={account} onLeave={() => setLeaving(account)} />
                  </li>
                ))}
              </ul>
              <ConnectButton label={texts.another} variant="default" />
            </>
          )
        }
      </Fetched>
      <ConfirmDialog
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title={texts.disconnectTitle(leaving?.name ?? '')}
        confirmLabel={texts.disconnect}
        destructive
        onConfirm={async () => {
          if (!leaving) return
          const { posts, slots } = await disconnect.mutateAsync(leaving._id)
          toast.success(texts.disconnected(leaving.name, { posts, slots }))
        }}
      >
        <p>{texts.disconnectEffect}</p>
        {leaving && leaving.scheduledPosts + leaving.slots > 0 && (
          <p>
            {texts.disconnectWaits(leaving.name, { posts: leaving.scheduledPosts, slots: leaving.slots })}
          </p>
        )}
      </ConfirmDialog>
    </Page>
  )
}

/** How an account stands; of one that has to be connected again nothing else counts. */
const stateOf = ({ status, stoppedBy }: ForumAccount) =>
  status === 'revoked' ? 'revoked' : (stoppedBy ?? 'connected')

const STATES = {
  connected: { tone: 'good', tag: texts.connected, hint: null },
  revoked: { tone: 'warning', tag: texts.revoked, hint: texts.revokedHint },
  forum: { tone: 'bad', tag: texts.stopped, hint: texts.stoppedHint },
  person: { tone: 'warning', tag: texts.paused, hint: texts.pausedHint },
} as const

function AccountCard({ account, onLeave }: { account: ForumAccount; onLeave: () => void }) {
  const { name } = account
  const state = STATES[stateOf(account)]
  const isRevoked = account.status === 'revoked'
  return (
    <Card>
      <div className={styles.account}>
        <div className={styles.who}>
          <h2 className={styles.name}>u/{name}</h2>
          <Tag tone={state.tone}>{state.tag}</Tag>
          <p className={styles.quiet}>{state.hint ?? texts.since(account.connectedAt)}</p>
        </div>
        <div className={styles.actions}>
          {!isRevoked && account.stoppedBy && (
            <LinkButton to={promotionPaths.timeline} variant="default" aria-label={texts.timelineOf(name)}>
              {texts.timeline}
            </LinkButton>
          )}
          {isRevoked && <ConnectButton label={texts.reconnect} name={texts.reconnectOf(name)} />}
          <Button variant="default" aria-label={texts.disconnectOf(name)} onClick={onLeave}>
            {texts.disconnect}
          </Button>
        </div>
      </div>
    </Card>
  )
}
