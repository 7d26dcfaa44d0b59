import { useConfig } from '../../lib/config.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { Page } from '../../ui/Page.tsx'
import { WishCard } from '../../ui/WishCard.tsx'
import styles from './identity.module.css'
import { ConfirmEmail } from './parts/ConfirmEmail.tsx'

/** In place of a guarded page while the e-mail address is not confirmed (docs/product.md, Pages). */
export function UnverifiedNotice({ person }: { person: Person }) {
  const config = useConfig()
  return (
    <Page
      title="Please verify your email"
      lead="One step is left before you can use your account."
      width="text"
    >
      <WishCard />
      <Card>
        <div className={styles.notice}>
          <ConfirmEmail person={person} />
          <p className={styles.quiet}>
            You may also message our official account{' '}
            {config && <strong>/u/{config.brand.forumAccount.replace(/^\/?u\//i, '')}</strong>} on{' '}
            {config?.forum.name ?? 'the forum'} to be verified manually.
          </p>
        </div>
      </Card>
    </Page>
  )
}
