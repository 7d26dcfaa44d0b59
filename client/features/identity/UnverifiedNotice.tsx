import { Button } from '@mantine/core'
import { errorMessage } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { useResendConfirmation } from './api.ts'
import styles from './identity.module.css'

/** In place of a guarded page while the e-mail address is not confirmed (docs/product.md, Pages). */
export function UnverifiedNotice({ person }: { person: Person }) {
  const resend = useResendConfirmation(person)
  const config = useConfig()
  return (
    <Page
      title="Please verify your email"
      lead="One step is left before you can use your account."
      width="text"
    >
      <Card>
        <div className={styles.notice}>
          <p>
            We sent a link to <span className={styles.address}>{person.pendingEmail ?? person.email}</span>.
            Open it to verify your email; this page goes on by itself when you come back.
          </p>
          <output>
            {resend.isSuccess ? (
              <strong>Email has been sent. Please check your email!</strong>
            ) : (
              <Button onClick={() => resend.mutate()} loading={resend.isPending}>
                Resend verification email
              </Button>
            )}
          </output>
          <FormError>{resend.error ? errorMessage(resend.error) : null}</FormError>
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
