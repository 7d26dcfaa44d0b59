import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { accountsQuery } from './api.ts'
import { ConnectButton } from './ConnectButton.tsx'
import styles from './parts.module.css'
import { Reconnect } from './ReconnectNotice.tsx'
import { connectTexts as texts } from './texts.ts'
import { useForum } from './use-forum.ts'

/** Holds the place of the prompt while it loads. */
export function ConnectPromptSkeleton() {
  return (
    <Card>
      <SkeletonLines lines={5} />
    </Card>
  )
}

/**
 * For a creator without a connected forum account: the benefits of connecting one (`about`), and the button. A person
 * who had one connects it again: a notice above says so, or with `reconnects` this prompt. `isMain` if the page has
 * nothing else to do.
 */
export function ConnectPrompt({
  reconnects = false,
  about = texts.about,
  isMain = false,
}: {
  reconnects?: boolean
  about?: string
  isMain?: boolean
}) {
  const { name, available } = useForum()
  const accounts = useQuery({ ...accountsQuery, enabled: available })
  if (!available) return <p className={styles.quiet}>{texts.unavailable(name)}</p>
  // One of the two cards will stand here.
  if (accounts.isPending) return reconnects ? <ConnectPromptSkeleton /> : null
  const former = accounts.data?.items ?? []
  if (former.length > 0) return reconnects && <Reconnect accounts={former} />
  return (
    <Card>
      <section className={styles.part} aria-label={texts.title(name)}>
        <h2 className={styles.title}>{texts.title(name)}</h2>
        <p className={styles.quiet}>{about}</p>
        <div className={styles.button}>
          <ConnectButton label={texts.connect} variant={isMain ? 'filled' : 'default'} />
        </div>
      </section>
    </Card>
  )
}
