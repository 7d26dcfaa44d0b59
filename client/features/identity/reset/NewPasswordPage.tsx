import { Button } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { MIN_PASSWORD_LENGTH } from '../../../../contract/constants.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PasswordField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { OperatorAccount, OperatorEmail } from '../../../ui/OperatorContact.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'

const TITLE = 'Choose a new password'

/** Set a new password with the link of the reset mail, which is checked first (docs/product.md, Pages and Texts). */
export function Component() {
  const { userId = '', token = '' } = useParams()
  const link = useQuery({
    queryKey: [...roots.identity, 'reset', userId, token],
    queryFn: ({ signal }) => call(routes.checkResetToken, { body: { userId, token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

  if (isInvalid(link.error)) return <Invalid />
  if (link.error) {
    return (
      <Page title={TITLE} width="form">
        <ErrorState
          title="The link could not be checked just now"
          error={link.error}
          onRetry={() => link.refetch()}
        />
      </Page>
    )
  }
  if (!link.data) {
    return (
      <Page title={TITLE} lead="Checking your link…" width="form">
        <SkeletonLines />
      </Page>
    )
  }
  return <NewPassword userId={userId} token={token} />
}

function NewPassword({ userId, token }: { userId: string; token: string }) {
  const [password, setPassword] = useState('')
  const [short, setShort] = useState<string>()
  const update = useMutation({
    mutationFn: () => call(routes.updatePassword, { body: { userId, token, password } }),
  })
  const submit = () => {
    const error = password.length < MIN_PASSWORD_LENGTH ? 'Password must be 8 or more characters' : undefined
    setShort(error)
    if (!error) update.mutate()
  }

  if (update.isSuccess) {
    return (
      <Page title={TITLE} width="form">
        <EmptyState
          Icon={IconCircleCheck}
          title="Successfully updated password. Please try logging in."
          action={<LinkButton to={paths.login}>Log in</LinkButton>}
        >
          You were logged out everywhere.
        </EmptyState>
      </Page>
    )
  }
  if (isInvalid(update.error)) return <Invalid />
  const details = update.error instanceof ApiError ? update.error.details : {}
  return (
    <Page title={TITLE} lead="You will be logged out everywhere else." width="form">
      <Form onSubmit={submit}>
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          description="8 characters or more, and not a common one."
          required
          value={password}
          onChange={setPassword}
          error={short ?? details.password}
        />
        <FormError>
          {update.error && !details.password ? `There was a problem. ${errorMessage(update.error)}` : null}
        </FormError>
        <Button type="submit" size="lg" fullWidth loading={update.isPending}>
          Update Password!
        </Button>
      </Form>
    </Page>
  )
}

function Invalid() {
  return (
    <Page title={TITLE} width="form">
      <EmptyState
        Icon={IconLinkOff}
        title="This link does not work"
        action={<LinkButton to={paths.reset}>Get a new link</LinkButton>}
      >
        <p role="alert">
          There was an error resetting the password. Please try again or contact the official account on the
          forum service, or report the issue by email.
        </p>
        <p>
          A link works for one hour and once. We are <OperatorAccount /> and <OperatorEmail />.
        </p>
      </EmptyState>
    </Page>
  )
}

function isInvalid(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'reset_invalid' || error.code === 'invalid_input') &&
    !error.details.password
  )
}
