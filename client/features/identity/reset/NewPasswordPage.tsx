import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { passwordRoutes } from '../../../../contract/routes/identity/passwords.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PasswordField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
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
  const form = useContractForm(passwordRoutes.updatePassword, {
    initial: { password: '' },
    body: ({ password }) => ({ userId, token, password }),
    sentence: (error) => `There was a problem. ${errorMessage(error)}`,
    lost: null,
  })

  if (form.answer) {
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
  if (isInvalid(form.failure)) return <Invalid />
  return (
    <Page title={TITLE} lead="You will be logged out everywhere else." width="form">
      <ContractForm form={form}>
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          description="8 characters or more, and not a common one."
          required
          {...form.field('password')}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" fullWidth loading={form.pending}>
          Update Password!
        </Button>
      </ContractForm>
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
