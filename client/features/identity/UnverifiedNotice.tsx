import { useState } from 'react'
import { useConfig } from '../../lib/config.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { WishCard } from '../../ui/WishCard.tsx'
import styles from './identity.module.css'
import { ConfirmEmail } from './parts/ConfirmEmail.tsx'
import { unverifiedTexts } from './texts.ts'

const AnotherAddress = lazyPart(() => import('./AnotherAddress.tsx').then((module) => module.AnotherAddress))

/** In place of a guarded page while the email address is not confirmed (docs/product.md, Pages). */
export function UnverifiedNotice({ person }: { person: Person }) {
  const config = useConfig()
  const [isWrong, setWrong] = useState(false)
  return (
    <Page title={unverifiedTexts.title} lead={unverifiedTexts.lead} width="text">
      <WishCard />
      <Card>
        <div className={styles.notice}>
          <ConfirmEmail key={person.pendingEmail} person={person} />
          {isWrong ? (
            <AnotherAddress onSent={() => setWrong(false)} />
          ) : (
            <Button variant="subtle" onClick={() => setWrong(true)}>
              {unverifiedTexts.another}
            </Button>
          )}
          <p className={styles.quiet}>
            {unverifiedTexts.message}{' '}
            {config && <strong>/u/{config.brand.forumAccount.replace(/^\/?u\//i, '')}</strong>}{' '}
            {unverifiedTexts.onForum(config?.forum.name ?? unverifiedTexts.forum)}
          </p>
        </div>
      </Card>
    </Page>
  )
}
