import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
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

function AccountCard({ account, onLeave }: { account: ForumAccount; onLeave: () => void }) {
  const { name, status, connectedAt } = account
  const isRevoked = status === 'revoked'
  return (
    <Card>
      <div className={styles.account}>
        <div className={styles.who}>
          <h2 className={styles.name}>u/{name}</h2>
          <Tag tone={isRevoked ? 'warning' : 'good'}>{isRevoked ? texts.revoked : texts.connected}</Tag>
          <p className={styles.quiet}>{isRevoked ? texts.revokedHint : texts.since(connectedAt)}</p>
        </div>
        <div className={styles.actions}>
          {isRevoked && <ConnectButton label={texts.reconnect} name={texts.reconnectOf(name)} />}
          <Button variant="default" aria-label={texts.disconnectOf(name)} onClick={onLeave}>
            {texts.disconnect}
          </Button>
        </div>
      </div>
    </Card>
  )
}
