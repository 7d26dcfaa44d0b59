import { IconCircleCheck, IconMailX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { useWish } from '../../lib/wish.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useConfirmEmail } from './api.ts'

/** Where the link of the confirmation mail leads: confirms once by itself (docs/product.md, Pages and Access). */
export function Component() {
  const [parameters] = useSearchParams()
  const { loggedIn } = useSession()
  const config = useConfig()
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
      <Page title="Confirm your email" width="text">
        <EmptyState
          Icon={IconCircleCheck}
          title="Your email is verified"
          action={
            <>
              {loggedIn && wish && <LinkButton to={wish.path}>{wish.label}</LinkButton>}
              <LinkButton
                to={loggedIn ? paths.dashboard : paths.login}
                {...(loggedIn && wish ? { variant: 'default' } : {})}
              >
                {loggedIn ? 'Go to your dashboard' : 'Log in'}
              </LinkButton>
            </>
          }
        >
          Everything is open to you now.
        </EmptyState>
      </Page>
    )
  }
  if (error && !(error instanceof ApiError && error.status >= 400 && error.status < 500)) {
    return (
      <Page title="Confirm your email" width="text">
        <ErrorState
          title="Your email could not be verified just now"
          error={error}
          onRetry={() => mutate({ email, token })}
        />
      </Page>
    )
  }
  if (error) {
    return (
      <Page title="Confirm your email" width="text">
        <EmptyState
          Icon={IconMailX}
          title="There was an error sorry."
          action={<LinkButton to={loggedIn ? paths.dashboard : paths.login}>Get a new link</LinkButton>}
        >
          {error instanceof ApiError && error.code === 'rate_limited'
            ? errorMessage(error)
            : 'The link may be old or used already.'}{' '}
          If a new link does not help, contact the team{config ? ` at ${config.brand.email}` : ''}.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title="Confirm your email" lead="Verifying your email…" width="text">
      <SkeletonLines />
    </Page>
  )
}
