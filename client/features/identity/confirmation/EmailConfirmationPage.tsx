import { IconMailX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { useWish } from '../../../lib/wish.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { OperatorEmail } from '../../../ui/text-page/OperatorContact.tsx'
import { useConfirmEmail } from '../api.ts'
import styles from '../identity.module.css'
import { confirmationTexts } from '../texts.ts'

/** Where the link of the confirmation mail leads: confirms once by itself (docs/product.md, Pages and Access). */
export function Component() {
  const [parameters] = useSearchParams()
  const { loggedIn } = useSession()
  const wish = useWish()
  const { mutate, isSuccess, error } = useConfirmEmail()
  const email = parameters.get('email') ?? ''
  const token = parameters.get('token') ?? ''

  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    mutate({ email, token })
  }, [mutate, email, token])

  if (isSuccess) {
    return (
      <Page title={confirmationTexts.done} lead={confirmationTexts.doneHint}>
        <div className={styles.onward}>
          {loggedIn && wish && <LinkButton to={wish.path}>{wish.label}</LinkButton>}
          <LinkButton
            to={loggedIn ? paths.dashboard : paths.login}
            {...(loggedIn && wish ? { variant: 'default' } : {})}
          >
            {loggedIn ? confirmationTexts.dashboard : confirmationTexts.logIn}
          </LinkButton>
        </div>
      </Page>
    )
  }
  if (error && !(error instanceof ApiError && error.status >= 400 && error.status < 500)) {
    return (
      <Page title={confirmationTexts.title}>
        <ErrorState title={confirmationTexts.notNow} error={error} onRetry={() => mutate({ email, token })} />
      </Page>
    )
  }
  if (error) {
    return (
      <Page title={confirmationTexts.title}>
        <EmptyState
          Icon={IconMailX}
          title={confirmationTexts.failed}
          action={
            <LinkButton to={loggedIn ? paths.dashboard : paths.login}>{confirmationTexts.newLink}</LinkButton>
          }
        >
          {error instanceof ApiError && error.code === 'rate_limited'
            ? errorMessage(error)
            : confirmationTexts.expired}{' '}
          {confirmationTexts.team} <OperatorEmail />.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title={confirmationTexts.title} lead={confirmationTexts.checking}>
      <SkeletonLines />
    </Page>
  )
}
